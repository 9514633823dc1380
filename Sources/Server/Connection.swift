internal import HTTP
internal import Hosting
internal import Posix
internal import TLS

/// A body that is being dropped, and the answer that waits for its end.
final class PendingBody {
  var drain: BodyDrain
  let answer: Answer
  let fetcher: FetcherClass
  let isHTTP10: Bool
  /// For the access log.
  var host: [UInt8] = []
  var client: PeerAddress?

  init(_ drain: BodyDrain, answer: Answer, fetcher: FetcherClass, isHTTP10: Bool) {
    self.drain = drain
    self.answer = answer
    self.fetcher = fetcher
    self.isHTTP10 = isHTTP10
  }
}

/// One client's connection. It belongs to one event loop and is touched by that loop's thread only.
final class Connection {
  /// What the connection is doing. Each has its own allowance of time.
  enum Phase: Int, CaseIterable {
    /// TLS handshake.
    case handshaking
    /// No byte of a request is there.
    case idle
    /// A part of a head is there.
    case readingHead
    /// The head is there, a part of its body is missing.
    case readingBody
    /// The client has not yet taken all of the answers.
    case writing
    /// Our side has ended; what the client still sends is dropped until it ends too, so that the
    /// kernel does not reset the connection before the client has read our answer (RFC 9112 9.6).
    case lingering
  }

  let descriptor: FileDescriptor
  let tls: Session?
  let isSecure: Bool
  /// What was agreed; nil without TLS, and before its handshake has ended.
  var version: MetricsSnapshot.TLSVersion?
  /// Who is at the other end, or who a proxy says is, when that is known.
  var peer: PeerAddress?
  /// How lines of the access log about `peer` end; empty before there was one.
  var lineEnd: [UInt8] = []
  /// Whether what it says of requests that it passes on is believed.
  var isTrustedProxy = false
  /// What is there of the PROXY protocol's header, which comes before all else; nil when none is
  /// expected, or any more.
  var proxyHeader: [UInt8]?
  /// Whose connections are counted together with this one; nil when they are not counted.
  let client: PeerAddress?
  var phase: Phase
  /// The state whose time runs; it lags behind `phase` while a read is being processed.
  var queuedPhase: Phase?
  /// What the poller watches it for; nil before it watches it at all.
  var watched: Interest?
  /// Whether a request was answered on it.
  var hasServed = false
  /// When the request began that is not answered yet: nanoseconds of the monotonic clock; 0 when
  /// it is in this turn.
  var requestStart: Int64 = 0

  var framer = HeadFramer()
  /// Received but not yet processed.
  var input: [UInt8] = []
  /// `input` holds whole requests whose turn comes next; meanwhile nothing is received.
  var hasYielded = false
  /// The request whose body is being dropped.
  var body: PendingBody?

  /// Not yet taken by the client: first `output`, then the body of `tail`, both from their offsets
  /// on.
  var output: [UInt8] = []
  var outputOffset = 0
  var tail: Representation?
  var tailOffset = 0
  /// Bytes that the client has taken since its time for taking them began.
  var progress = 0
  /// What follows once all output is taken.
  var ending = Ending.none

  /// How the connection ends after its output.
  enum Ending {
    /// It goes on.
    case none
    /// Nothing of the client's is left unread: close.
    case close
    /// The client may still be sending: end our side, and linger.
    case linger
  }

  init(
    _ descriptor: consuming FileDescriptor, tls: consuming Session?, peer: PeerAddress? = nil,
    client: PeerAddress? = nil
  ) {
    self.descriptor = descriptor
    self.peer = peer
    self.client = client
    let isSecure = tls != nil
    self.tls = tls
    self.isSecure = isSecure
    phase = isSecure ? .handshaking : .idle
  }

  /// The time for it is a part of the time for a handshake.
  func expectProxyHeader() {
    proxyHeader = []
    phase = .handshaking
  }

  var hasOutput: Bool {
    outputOffset < output.count || tailOffset < tail?.body.count ?? 0
  }

  func receive(into buffer: inout MutableSpan<UInt8>) -> TransferOutcome {
    if !isSecure { return descriptor.receive(into: &buffer) }
    return tls?.read(into: &buffer) ?? .failed
  }

  /// Whether TLS holds bytes that the poller does not know of.
  var hasPendingBytes: Bool { isSecure && tls?.hasPendingBytes() ?? false }

  /// Sends a span and then a body, until all is sent or the client takes no more.
  ///
  /// - Parameters:
  ///   - offset: where in the body to begin.
  ///   - isLast: our side ends right after it, so that the kernel can send both as one.
  /// - Returns: how many bytes of both were sent, and why it stopped when that is not all.
  func send(
    _ first: Span<UInt8>, _ tail: Representation?, from offset: Int, isLast: Bool = false
  ) -> (count: Int, stop: TransferOutcome?) {
    guard let tail else { return send(first, isLast: isLast) }
    let body = tail.body
    let total = first.count + body.count - offset
    var sent = 0
    while sent < total {
      let outcome: TransferOutcome
      let position = max(offset, offset + sent - first.count)
      if isSecure {
        outcome =
          sent < first.count
          ? write(first.extracting(sent...)) : write(body.span.extracting(position...))
      } else if let file = tail.file {
        outcome =
          sent < first.count
          ? descriptor.send(first.extracting(sent...), isFollowed: true)
          : descriptor.send(file, from: position)
      } else if sent < first.count {
        outcome = descriptor.send(
          first.extracting(sent...), body.span.extracting(position...), isFollowed: isLast)
      } else {
        outcome = descriptor.send(body.span.extracting(position...), isFollowed: isLast)
      }
      guard case .moved(let count) = outcome else { return (sent, outcome) }
      sent += count
    }
    return (sent, nil)
  }

  private func send(
    _ bytes: Span<UInt8>, isLast: Bool
  ) -> (count: Int, stop: TransferOutcome?) {
    var sent = 0
    while sent < bytes.count {
      let rest = bytes.extracting(sent...)
      let outcome = isSecure ? write(rest) : descriptor.send(rest, isFollowed: isLast)
      guard case .moved(let count) = outcome else { return (sent, outcome) }
      sent += count
    }
    return (sent, nil)
  }

  private func write(_ bytes: Span<UInt8>) -> TransferOutcome {
    tls?.write(bytes) ?? .failed
  }

  /// Sends what was left over: how much of it, and why not all when it is not.
  func sendLeftover() -> (count: Int, stop: TransferOutcome?) {
    let (count, stop) = send(
      output.span.extracting(outputOffset..<output.count), tail, from: tailOffset)
    let ofOutput = min(count, output.count - outputOffset)
    outputOffset += ofOutput
    tailOffset += count - ofOutput
    if !hasOutput { dropOutput() }
    return (count, stop)
  }

  func dropOutput() {
    output = []
    outputOffset = 0
    tail = nil
    tailOffset = 0
    progress = 0
  }
}
