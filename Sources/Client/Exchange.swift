package import HTTP
package import Posix
package import TLS

/// The record of a fetch: the results of its steps until the fetch ended or failed. Reports show
/// these results as evidence.
package struct Exchange: Sendable {
  package let request: FetchRequest
  /// The addresses to try, in this order. If a proxy is used, they are the addresses of the proxy.
  /// Otherwise, they are the address in `FetchOptions.origin` or, without an origin, the addresses
  /// of the host.
  package internal(set) var addresses: [SocketAddress] = []
  /// Whether the addresses belong to a proxy that opens a tunnel to the host.
  package internal(set) var usesProxy = false
  package internal(set) var attempts: [ConnectionAttempt] = []
  package internal(set) var tls: TLSFacts?
  /// The request's head as it was sent; empty if no request was sent.
  package internal(set) var sent = ""
  package internal(set) var head: ReceivedHead?
  /// The content as it was received, before the content coding is removed. The content is
  /// incomplete if the connection broke.
  package internal(set) var rawBody: [UInt8] = []
  /// The decoded content; nil if the content is incomplete or cannot be decoded.
  package internal(set) var body: [UInt8]?
  package internal(set) var flaws: [ResponseFlaw] = []
  /// The time at the end of each step, in milliseconds since the fetch began.
  package internal(set) var times: [(step: FetchFault.Step, milliseconds: Int64)] = []
  /// Why the fetch failed; nil if it succeeded.
  package internal(set) var fault: FetchFault?

  /// The address that accepted the connection; nil if no address accepted it.
  package var address: SocketAddress? { attempts.last { $0.error == nil }?.address }

  /// The response; nil if the fetch failed.
  package var response: (head: ReceivedHead, body: [UInt8])? {
    guard fault == nil, let head, let body else { return nil }
    return (head, body)
  }
}

/// The facts of a TLS handshake.
package struct TLSFacts: Sendable, Equatable {
  /// The version of TLS, such as `TLSv1.3`.
  package let version: String
  /// The protocol that the server chose by ALPN; empty if the server chose none.
  package let agreedProtocol: String
  package let verification: PeerVerification
  /// Reasons why clients other than OpenSSL may refuse the connection, even if the certificate is
  /// trusted.
  package let concerns: [PeerConcern]
}
