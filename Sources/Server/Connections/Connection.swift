internal import Catalog
internal import HTTP
internal import Posix
internal import TLS

/// The connection of one client. It belongs to one event loop, and only that loop's thread uses it.
///
/// Only `EventLoop.enter` changes its state.
final class Connection {
  /// The state of the connection. Each kind of state has its own time limit.
  enum State {
    /// Expects the header of the PROXY protocol, which comes first; `input` has the part that has
    /// arrived.
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
    /// Our side has ended. Bytes that still arrive are dropped until the client ends too, because
    /// the kernel would otherwise reset the connection before the client has read our answer (RFC
    /// 9112 9.6).
    case lingering
  }

  /// The kind of a state: decides the time limit, and is counted in the metrics.
  typealias Kind = MetricsSnapshot.ConnectionState

  /// The index in the loop.
  let slot: Int
  let descriptor: FileDescriptor
  let isSecure: Bool
  /// Nil without TLS, and before the first record of a handshake has arrived.
  var tls: Session?
  /// The negotiated version; nil without TLS, and before its handshake has ended.
  var version: MetricsSnapshot.TLSVersion?
  /// The address of the client, from the connection or from a proxy; nil if unknown.
  var peer: PeerAddress?
  /// The end of access log lines about `peer`; empty without an access log.
  var lineEnd: [UInt8] = []
  /// Whether the client is a proxy that is trusted about the requests it forwards.
  var isTrustedProxy = false
  /// The client among whose connections this one is counted; nil if it is not counted.
  var client: PeerAddress?
  var state: State
  /// The events that the poller watches it for; nil before it is watched.
  var watched: Interest?
  /// The number of bytes from which on the poller reports input; usually 1.
  var lowWatermark = 1
  /// Whether it has had an answer.
  var hasServed = false
  /// When the request in progress began, in nanoseconds of the monotonic clock; 0 if in this turn.
  var requestStart: Int64 = 0
  /// Bytes that were received but not processed.
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

  /// The deadline queue of connections that have had an answer and wait for the next request. It is
  /// separate from that of connections without a request, which are dropped first when there are
  /// too many.
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
  let isHead: Bool
  /// For the access log.
  let host: [UInt8]
  let client: PeerAddress?

  init(
    _ drain: BodyDrain, answer: Answer, fetcher: FetcherClass, isHTTP10: Bool, isHead: Bool,
    host: [UInt8], client: PeerAddress?
  ) {
    self.drain = drain
    self.answer = answer
    self.fetcher = fetcher
    self.isHTTP10 = isHTTP10
    self.isHead = isHead
    self.host = host
    self.client = client
  }
}

/// Answers that the client has not taken yet: bytes, and then the body of `tail`, each from its
/// offset on.
final class PendingOutput {
  var bytes: [UInt8]
  var offset = 0
  var tail: Representation?
  var tailOffset: Int
  /// The number of bytes that the client has taken since its time limit began.
  var progress = 0
  /// The next step once all is taken.
  let next: Next

  enum Next {
    /// The connection stays open; first the rest of a body is received, if there is one.
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

/// The way in which a connection ends after its last answer.
enum Ending {
  /// Everything that the client sent has been read: close.
  case close
  /// The client may still be sending: end our side, and linger.
  case linger
}
