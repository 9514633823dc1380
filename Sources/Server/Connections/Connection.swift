internal import HTTP
internal import Hosting
internal import Posix
internal import TLS

/// One client's connection. It belongs to one event loop and is touched by that loop's thread only.
///
/// `EventLoop.enter` alone changes its state.
final class Connection {
  /// What the connection is doing. Each kind of state has its own allowance of time.
  enum State {
    /// The PROXY protocol's header comes before all else; `input` has what is there of it.
    case proxyHeader
    /// TLS handshake, and the wait for its first record.
    case handshaking
    /// No byte of a request is there.
    case idle
    /// A part of a head is there.
    case head
    /// Whole requests are there, and their turn comes next; meanwhile nothing is received.
    case yielded
    /// The head is there, a part of its body is missing.
    case body(PendingBody)
    /// The client has not yet taken all of the answers.
    case writing(PendingOutput)
    /// Our side has ended; what the client still sends is dropped until it ends too, so that the
    /// kernel does not reset the connection before the client has read our answer (RFC 9112 9.6).
    case lingering
  }

  /// States that share an allowance of time, and a number in the metrics.
  typealias Kind = MetricsSnapshot.ConnectionState

  /// Its index in the loop.
  let slot: Int
  let descriptor: FileDescriptor
  let isSecure: Bool
  /// Nil without TLS, and before the first record of a handshake is there.
  var tls: Session?
  /// What was agreed; nil without TLS, and before its handshake has ended.
  var version: MetricsSnapshot.TLSVersion?
  /// Who is at the other end, or who a proxy says is, when that is known.
  var peer: PeerAddress?
  /// How lines of the access log about `peer` end; empty without an access log.
  var lineEnd: [UInt8] = []
  /// Whether what it says of requests that it passes on is believed.
  var isTrustedProxy = false
  /// Whose connections are counted together with this one; nil when they are not counted.
  var client: PeerAddress?
  var state: State
  /// What the poller watches it for; nil before it watches it at all.
  var watched: Interest?
  /// The poller reports no fewer bytes; 1 is usual.
  var lowWatermark = 1
  /// Whether a request was answered on it.
  var hasServed = false
  /// When the request began that is not answered yet: nanoseconds of the monotonic clock; 0 when
  /// it is in this turn.
  var requestStart: Int64 = 0
  /// Received but not yet processed.
  var input: [UInt8] = []

  init(
    _ descriptor: consuming FileDescriptor, slot: Int, isSecure: Bool, peer: PeerAddress? = nil
  ) {
    self.slot = slot
    self.descriptor = descriptor
    self.isSecure = isSecure
    self.peer = peer
    state = isSecure ? .handshaking : .idle
  }

  var kind: Kind { state.kind }

  /// The deadline queue of connections that were served and wait for their next request. It is apart
  /// from that of connections that have never sent one: those go first when there are too many.
  static let keptQueue = Kind.allCases.count
  static let queueCount = keptQueue + 1
}

extension Connection.State {
  var kind: Connection.Kind {
    switch self {
    case .proxyHeader: .proxyHeader
    case .handshaking: .handshaking
    case .idle: .idle
    case .head, .yielded: .readingHead
    case .body: .readingBody
    case .writing: .writing
    case .lingering: .lingering
    }
  }
}

/// A body that is being dropped, and the answer that waits for its end.
final class PendingBody {
  var drain: BodyDrain
  let answer: Answer
  let fetcher: FetcherClass
  let isHTTP10: Bool
  /// For the access log.
  let host: [UInt8]
  let client: PeerAddress?

  init(
    _ drain: BodyDrain, answer: Answer, fetcher: FetcherClass, isHTTP10: Bool, host: [UInt8],
    client: PeerAddress?
  ) {
    self.drain = drain
    self.answer = answer
    self.fetcher = fetcher
    self.isHTTP10 = isHTTP10
    self.host = host
    self.client = client
  }
}

/// Answers that the client has not taken yet: first bytes, then the body of `tail`, both from their
/// offsets on.
final class PendingOutput {
  var bytes: [UInt8]
  var offset = 0
  var tail: Representation?
  var tailOffset: Int
  /// Bytes that the client has taken since its time for taking them began.
  var progress = 0
  /// What follows once all is taken.
  let next: Next

  enum Next {
    /// The connection goes on: with the rest of a body, if there is one.
    case goesOn(PendingBody?)
    case ends(Ending)
  }

  init(_ bytes: [UInt8], tail: Representation?, tailOffset: Int, next: Next) {
    self.bytes = bytes
    self.tail = tail
    self.tailOffset = tailOffset
    self.next = next
  }
}

/// How a connection ends after its last answer.
enum Ending {
  /// Nothing of the client's is left unread: close.
  case close
  /// The client may still be sending: end our side, and linger.
  case linger
}
