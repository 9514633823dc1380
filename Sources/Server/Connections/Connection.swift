internal import Bytes
internal import Catalog
internal import HTTP
internal import Posix
internal import TLS

/// A client's connection. It belongs to one event loop, and only that loop's thread uses it.
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
    /// Complete requests have arrived and wait for the next turn. Until then the server does not
    /// read from the connection.
    case yielded
    /// The head of a request has arrived, but not the whole body.
    case body(PendingBody)
    /// The client has not yet received all responses.
    case writing(PendingOutput)
    /// The server has closed its side, and drops incoming bytes until the client closes too.
    /// Otherwise the kernel could reset the connection before the client reads the response (RFC
    /// 9112 section 9.6).
    case lingering
  }

  /// The kind of a state. The kind determines the time limit. Metrics count connections by kind.
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

  /// The connection's index in the loop.
  let slot: Int
  let descriptor: FileDescriptor
  let isSecure: Bool
  /// The TLS session; nil without TLS, and before the first record of a handshake has arrived.
  var tls: Session?
  /// The negotiated version; nil without TLS, and until the handshake is complete.
  var version: TLSVersion?
  /// The client's address, from the connection or from a proxy; nil if unknown.
  var peer: IPAddress?
  /// The text that ends every access log line about `peer`; empty without an access log.
  var lineEnd: [UInt8] = []
  /// Whether the client is a proxy whose forwarding fields the server trusts.
  var isTrustedProxy = false
  /// The client whose limit includes this connection; nil if no limit includes it.
  var client: IPAddress?
  var state: State
  /// The events that the poller reports; nil before the connection is added to the poller.
  var watched: Interest?
  /// The minimum number of received bytes before the poller reports input; usually 1.
  var lowWatermark = 1
  /// Whether the server has sent a response on this connection.
  var hasServed = false
  /// When the current request began, in nanoseconds of the monotonic clock; 0 if it began in this
  /// turn.
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

  /// The deadline queue of idle connections on which a response has been sent. Other idle
  /// connections use the queue of `Kind.idle`, because they are dropped first if there are too many
  /// connections.
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

/// A response, and the facts about its request for counters and logs.
struct AnsweredRequest {
  var answer: Answer
  let fetcher: FetcherClass
  /// The sender of the request, if known.
  let client: IPAddress?
  /// Whether the client expects the connection to close by default (RFC 9112 9.3).
  let isHTTP10: Bool
  /// Why the request was refused; nil if it was accepted.
  var fault: RequestFault?
}

extension AnsweredRequest {
  /// The refusal of an invalid request. It uses no fields of the request's head.
  init(refusing connection: Connection, with answer: Answer, because fault: RequestFault? = nil) {
    self.init(
      answer: answer, fetcher: .other, client: connection.peer, isHTTP10: false, fault: fault)
  }
}

/// A request body that is read and dropped, and the response to send afterwards.
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

/// Responses that have not been sent completely: `bytes`, then the body of `tail`. Each part has an
/// offset.
final class PendingOutput {
  var bytes: [UInt8]
  var offset = 0
  var tail: Representation?
  var tailOffset: Int
  /// The number of bytes that were sent since the time limit started.
  var progress = 0
  /// The next step after everything has been sent.
  let next: Next

  enum Next {
    /// The connection stays open. If a request body is given, the server receives the rest of it
    /// first.
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
  /// Close, because everything that the client sent has been read.
  case close
  /// Close the server's side and linger, because the client may still be sending.
  case linger
}
