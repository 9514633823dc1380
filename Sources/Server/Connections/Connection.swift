internal import Bytes
internal import Catalog
internal import HTTP
internal import Posix
internal import TLS

/// A client's connection. Each connection belongs to one event loop, and only the thread of that
/// loop uses the connection.
///
/// Only `EventLoop.enter` changes the connection's state.
final class Connection {
  /// The state of the connection. Each kind of state has its own time limit.
  enum State {
    /// Waiting for the PROXY protocol header at the start of the connection. `input` contains the
    /// part that has arrived.
    case proxyHeader
    /// The TLS handshake has not begun or is not complete.
    case handshaking
    /// No byte of the next request has arrived.
    case idle
    /// A part of a request's head has arrived.
    case head
    /// Complete requests have arrived, and wait until the loop has handled other connections (see
    /// `EventLoop.readySlots`). Until then the server does not read from the connection.
    case yielded
    /// The head of a request has arrived, but not the whole body.
    case body(PendingBody)
    /// The server is sending responses, and the socket has not accepted all of their bytes yet.
    case writing(PendingOutput)
    /// The server has closed its sending side, and drops incoming bytes until the client closes its
    /// side too. If the server closed the connection completely, the kernel could reset it before
    /// the client reads the response (RFC 9112 section 9.6).
    case lingering
  }

  /// The kind of a connection's state. The kind determines the time limit, and metrics count
  /// connections by kind.
  enum Kind: Int, Sendable, CaseIterable {
    case proxyHeader, handshaking, idle, readingHead, readingBody, writing, lingering

    /// The name in metrics, for example `reading-head`.
    var name: String {
      switch self {
      case .proxyHeader: "proxy-header"
      case .handshaking: "handshaking"
      case .idle: "idle"
      case .readingHead: "reading-head"
      case .readingBody: "reading-body"
      case .writing: "writing"
      case .lingering: "lingering"
      }
    }
  }

  /// The connection's index in the event loop's array `connections`.
  let slot: Int
  let descriptor: FileDescriptor
  let isSecure: Bool
  /// The TLS session. Nil if the connection does not use TLS, or the first record of the handshake
  /// has not arrived completely.
  var tls: Session?
  /// The negotiated TLS version. Nil if the connection does not use TLS, or the handshake is not
  /// complete.
  var version: TLSVersion?
  /// The client's address, from the connection or from a proxy; nil if unknown.
  var peer: IPAddress?
  /// The end of every access log line about `peer`; empty if the server writes no access log.
  var lineEnd: [UInt8] = []
  /// Whether the client is a proxy whose forwarding fields the server trusts.
  var isTrustedProxy = false
  /// The address whose limit on connections applies to this connection; nil if no limit per client
  /// applies.
  var client: IPAddress?
  var state: State
  /// The events for which the poller watches the connection; nil before the connection is added to
  /// the poller.
  var watched: Interest?
  /// The minimum number of received bytes before the poller reports input; usually 1.
  var lowWatermark = 1
  /// Whether the server has sent a response on this connection.
  var hasServed = false
  /// When the current request began, in nanoseconds of the monotonic clock; 0 if the request began
  /// in this turn of the event loop.
  var requestStart: Int64 = 0
  /// Bytes received but not yet processed.
  var input: [UInt8] = []

  init(
    _ descriptor: consuming FileDescriptor, slot: Int, isSecure: Bool, peer: IPAddress? = nil
  ) {
    self.slot = slot
    self.descriptor = descriptor
    self.isSecure = isSecure
    self.peer = peer
    state = isSecure ? .handshaking : .idle
  }

  var kind: Kind { state.kind }

  /// The deadline queue of idle connections on which a response has been sent. Idle connections
  /// without a response use the queue of `Kind.idle`. The queues are separate, because
  /// `EventLoop.dropOne` chooses between them if there are too many connections.
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

/// A response, and the properties of its request that counters and logs need.
struct AnsweredRequest {
  var answer: Answer
  let fetcher: FetcherClass
  /// The address of the client that sent the request; nil if unknown.
  let client: IPAddress?
  /// Whether the request uses HTTP/1.0. An HTTP/1.0 client expects the server to close the
  /// connection unless the response says otherwise (RFC 9112 section 9.3).
  let isHTTP10: Bool
  /// Why the request was refused; nil if it was accepted.
  var fault: RequestFault?
}

extension AnsweredRequest {
  /// Makes the refusal of an invalid request. Uses no field of the request, because its head may
  /// not have been parsed.
  init(refusing connection: Connection, with answer: Answer, because fault: RequestFault? = nil) {
    self.init(
      answer: answer, fetcher: .other, client: connection.peer, isHTTP10: false, fault: fault)
  }
}

/// A request whose body is read and dropped, and the response to send after the body.
final class PendingBody {
  var drain: BodyDrain
  let request: AnsweredRequest
  let isHead: Bool
  /// The host for the access log.
  let host: [UInt8]

  init(_ drain: BodyDrain, _ request: AnsweredRequest, isHead: Bool, host: [UInt8]) {
    self.drain = drain
    self.request = request
    self.isHead = isHead
    self.host = host
  }
}

/// Responses that have not been sent completely: first `bytes`, then the body of `tail`. `offset`
/// and `tailOffset` are the positions of the first bytes that have not been sent.
final class PendingOutput {
  var bytes: [UInt8]
  var offset = 0
  var tail: Representation?
  var tailOffset: Int
  /// The number of bytes sent since the current time limit for writing started.
  var progress = 0
  /// What to do after everything has been sent.
  let next: Next

  enum Next {
    /// The connection stays open. If a request's body has not arrived completely, the parameter is
    /// this request, and the server first receives the rest of the body.
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

/// How a connection ends after its last response.
enum Ending {
  /// Close the connection. Everything that the client sent has been read, so the kernel does not
  /// reset the connection.
  case close
  /// Close the server's sending side, and drop the bytes that the client may still be sending (see
  /// `Connection.State.lingering`).
  case linger
}
