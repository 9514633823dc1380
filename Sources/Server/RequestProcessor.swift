internal import HTTP
internal import Hosting
internal import Posix
internal import TLS

/// From received bytes to the bytes of answers: frames and parses requests, selects the answers,
/// and writes them one after the other.
///
/// It does no input or output; the event loop does. There is one for each loop, so that its
/// buffers are used again and again.
struct RequestProcessor: ~Copyable {
  /// The answers made and not yet given to the kernel.
  var output: OutputBuffer
  /// Whose large body follows `output`: sent from where it is, not copied.
  var tail: Representation?
  var observer: RequestObserver
  private var now: Int64

  private var head = RequestHead(expectedTargets: AnswerSelector.paths)
  private let selector: AnswerSelector
  private let limits: RequestLimits
  private let proxies: TrustedProxies

  /// Up to so many bytes a body is copied behind its head, so that one system call sends both.
  private static let copiedBodyBytes = 16 * 1024
  /// Requests of one connection that are answered in one turn, so that one that sends very many at
  /// once does not keep the others waiting.
  private static let requestsPerTurn = 32
  /// Answers are gathered up to so many bytes before they are sent.
  private static let gatheredBytes = 32 * 1024
  private static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  init(
    selector: AnswerSelector, limits: RequestLimits, counters: LoopCounters = LoopCounters(),
    log: LoopLog? = nil, proxies: TrustedProxies = TrustedProxies()
  ) {
    self.selector = selector
    self.limits = limits
    self.proxies = proxies
    let observer = RequestObserver(counters: counters, log: log)
    now = observer.clock.wallSeconds
    self.observer = observer
    output = OutputBuffer(capacity: Self.gatheredBytes + 2 * Self.copiedBodyBytes, now: now)
  }

  /// Makes the dates of the answers that follow those of this turn.
  mutating func refreshDate() {
    now = observer.clock.wallSeconds
    output.refreshDate(now: now)
  }

  /// Why processing stopped.
  enum Stop {
    /// All input is used up, or only a part of a head is left.
    case needsInput
    /// Enough answers are gathered: send them, then go on from `next`.
    case needsFlush
    /// This connection has had its share of the turn, and has more: go on from `next` in the next.
    case yields
    /// The connection ends after the answers; `Connection.ending` says how.
    case ends
  }

  /// Processes `bytes` from `start` on. Returns the position behind what was used.
  ///
  /// - Parameter isDraining: the server stops: this is the last answer on the connection.
  mutating func process(
    _ bytes: Span<UInt8>, from start: Int, of connection: Connection, catalog: Catalog,
    isDraining: Bool
  ) -> (next: Int, stop: Stop) {
    var position = start
    var remaining = Self.requestsPerTurn
    while position < bytes.count {
      do throws(RequestFault) {
        if let body = connection.body {
          position = try drop(body, bytes, from: position, of: connection, isDraining: isDraining)
        } else {
          // A copy, for lending out a part of an object is accounted for at run time.
          var framer = connection.framer
          guard let end = try head.read(bytes, from: position, framer: &framer, limits: limits)
          else {
            connection.framer = framer
            connection.phase = framer.isEmpty ? .idle : .readingHead
            if !framer.isEmpty { noteStart(of: connection) }
            return (position, .needsInput)
          }
          if remaining == 0 { return (position, .yields) }
          remaining -= 1
          connection.framer = HeadFramer()
          connection.queuedPhase = nil
          position = end
          try answer(bytes, end, connection, catalog, isDraining)
        }
      } catch {
        refuse(error.status, on: connection)
        return (bytes.count, .ends)
      }
      if connection.ending != .none { return (position, .ends) }
      if tail != nil || output.count >= Self.gatheredBytes { return (position, .needsFlush) }
    }
    connection.phase = connection.body == nil ? .idle : .readingBody
    return (position, .needsInput)
  }

  /// A head has been read: selects the answer, and writes it unless a body must be dropped first.
  private mutating func answer(
    _ bytes: Span<UInt8>, _ end: Int, _ connection: Connection, _ catalog: Catalog,
    _ isDraining: Bool
  ) throws(RequestFault) {
    var hostRange = head.host
    var client = connection.peer
    var isVouchedFor = false
    if connection.isTrustedProxy && head.names.containsForwarding {
      let forwarded = proxies.forwarded(head, bytes, peer: connection.peer)
      client = forwarded.client
      hostRange = forwarded.host ?? hostRange
      isVouchedFor = forwarded.isHTTPS || forwarded.host != nil
    }
    var answer = selector.answer(
      to: &head, for: hostRange, in: bytes, catalog: catalog,
      isMisdirected: !isVouchedFor
        && Self.isMisdirected(head.target.form, head.host, bytes, connection), now: now)
    if isDraining { answer = answer.closing }
    let isHTTP10 = head.minorVersion == 0
    let fetcher = FetcherClass(
      userAgent: head.userAgent, method: head.method, path: head.target.path, in: bytes)
    observer.noteFetch(answer, by: fetcher, from: catalog)
    let host = bytes.extracting(hostRange)
    if case .none = head.body {
      write(
        answer, to: fetcher, host: host, client: client, isHTTP10: isHTTP10, on: connection)
      return
    }
    let drain = try BodyDrain(head.body, limits: limits)
    if drain.isComplete {
      write(
        answer, to: fetcher, host: host, client: client, isHTTP10: isHTTP10, on: connection)
      return
    }
    let body = PendingBody(drain, answer: answer, fetcher: fetcher, isHTTP10: isHTTP10)
    for index in host.indices { body.host.append(host[index]) }
    body.client = client
    connection.body = body
    noteStart(of: connection)
    // RFC 9110 10.1.1: not when a part of the body is here already.
    if head.expectsContinue && end == bytes.count { output.append(Self.continueLine) }
  }

  private mutating func drop(
    _ body: PendingBody, _ bytes: Span<UInt8>, from start: Int, of connection: Connection,
    isDraining: Bool
  ) throws(RequestFault) -> Int {
    let (next, isComplete) = try body.drain.consume(bytes, from: start)
    if isComplete {
      connection.body = nil
      let answer = isDraining ? body.answer.closing : body.answer
      let host = body.host
      write(
        answer, to: body.fetcher, host: host.span, client: body.client,
        isHTTP10: body.isHTTP10, on: connection)
    }
    return next
  }

  /// A request has begun in this turn and is not answered in it.
  private func noteStart(of connection: Connection) {
    if connection.requestStart == 0 { connection.requestStart = observer.clock.nanoseconds }
  }

  /// RFC 9110 7.4: a request for a host that this connection's certificate does not stand for, or
  /// for the other scheme than the connection's, was sent to the wrong place.
  @inline(__always)
  private static func isMisdirected(
    _ form: RequestTarget.Form, _ hostRange: Range<Int>, _ bytes: Span<UInt8>,
    _ connection: Connection
  ) -> Bool {
    if case .absolute(let scheme) = form {
      // A proxy in front that ends TLS sends origin-form: only a client names the scheme.
      if case .https = scheme, !connection.isSecure { return true }
    }
    if !connection.isSecure || hostRange.isEmpty { return false }
    return isUncovered(bytes.extracting(hostRange), connection)
  }

  private static func isUncovered(_ host: Span<UInt8>, _ connection: Connection) -> Bool {
    if connection.tls?.isOpenedFor(host: host) ?? true { return false }
    for index in host.indices where (0x41...0x5A).contains(host[index]) {
      return !(connection.tls?.covers(host: lowercased(host).span) ?? true)
    }
    return !(connection.tls?.covers(host: host) ?? true)
  }

  /// Hardly ever needed: clients send the host in lower case.
  private static func lowercased(_ host: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for index in host.indices {
      let byte = host[index]
      result.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
    return result
  }

  private mutating func write(
    _ answer: borrowing Answer, to fetcher: FetcherClass, host: Span<UInt8>, client: PeerAddress?,
    isHTTP10: Bool, on connection: Connection
  ) {
    observer.note(answer, to: fetcher, host: host, client: client, on: connection)
    let isCopied = answer.representation.body.count <= Self.copiedBodyBytes
    output.append(
      answer, isHTTP10: isHTTP10, includesBody: isCopied && !answer.omitsBody)
    if !isCopied && !answer.omitsBody { tail = answer.representation }
    connection.hasServed = true
    if answer.closes { connection.ending = .close }
  }

  /// Answers a faulty request; nothing that follows it is taken for a request.
  mutating func refuse(_ status: Status, on connection: Connection) {
    refuse(with: selector.fixed.answer(status, closes: true), on: connection)
  }

  mutating func refuse(with answer: Answer, on connection: Connection) {
    connection.body = nil
    let noHost: [UInt8] = []
    write(
      answer, to: .other, host: noHost.span, client: connection.peer, isHTTP10: false,
      on: connection)
    connection.ending = .linger
  }
}
