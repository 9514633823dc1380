package import HTTP
package import Posix
package import TLS

/// Everything that is known of one fetch, as far as it came: the evidence of a report.
package struct Exchange: Sendable {
  package let request: FetchRequest
  /// The addresses of the host, in the order of the system's preference; that of `origin` alone
  /// when one was given; the proxy's when there is one.
  package internal(set) var addresses: [SocketAddress] = []
  /// Whether they are a proxy's, which makes a tunnel to the host.
  package internal(set) var usesProxy = false
  package internal(set) var attempts: [ConnectionAttempt] = []
  package internal(set) var tls: TLSFacts?
  /// The request's head as it was sent; empty when it did not come to that.
  package internal(set) var sent = ""
  package internal(set) var head: ReceivedHead?
  /// The content as it came, its content coding not removed; a part of it when it broke off.
  package internal(set) var rawBody: [UInt8] = []
  /// The content itself; nil when it did not come whole, or its coding cannot be removed.
  package internal(set) var body: [UInt8]?
  package internal(set) var flaws: [ResponseFlaw] = []
  /// Milliseconds after which each step had ended.
  package internal(set) var times: [(step: FetchFault.Step, milliseconds: Int64)] = []
  /// Nil when all went well.
  package internal(set) var fault: FetchFault?

  /// The address that answered.
  package var address: SocketAddress? { attempts.last { $0.error == nil }?.address }

  /// What came when all went well.
  package var response: (head: ReceivedHead, body: [UInt8])? {
    guard fault == nil, let head, let body else { return nil }
    return (head, body)
  }
}

/// What the handshake showed.
package struct TLSFacts: Sendable, Equatable {
  /// `TLSv1.3`, `TLSv1.2`.
  package let version: String
  /// The protocol chosen by ALPN; empty when none.
  package let agreedProtocol: String
  package let verification: PeerVerification
}
