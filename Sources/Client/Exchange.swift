package import HTTP
package import Posix
package import TLS

/// The record of a fetch: the results of its steps until it ended or failed. Reports use the record
/// as evidence.
package struct Exchange: Sendable {
  package let request: FetchRequest
  /// The addresses to try, in the system's order of preference: the host's addresses, the address
  /// in `origin` if it is set, or the proxy's addresses if a proxy is used.
  package internal(set) var addresses: [SocketAddress] = []
  /// Whether the addresses belong to a proxy that opens a tunnel to the host.
  package internal(set) var usesProxy = false
  package internal(set) var attempts: [ConnectionAttempt] = []
  package internal(set) var tls: TLSFacts?
  /// The request's head as sent; empty if none was sent.
  package internal(set) var sent = ""
  package internal(set) var head: ReceivedHead?
  /// The content as received, before its content coding is removed. It is incomplete if the
  /// connection broke.
  package internal(set) var rawBody: [UInt8] = []
  /// The decoded content; nil if it is incomplete, or its coding cannot be removed.
  package internal(set) var body: [UInt8]?
  package internal(set) var flaws: [ResponseFlaw] = []
  /// The time in milliseconds at the end of each step.
  package internal(set) var times: [(step: FetchFault.Step, milliseconds: Int64)] = []
  /// Why the fetch failed; nil if it succeeded.
  package internal(set) var fault: FetchFault?

  /// The address that accepted the connection; nil if none did.
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
  /// The protocol chosen by ALPN; empty if none was chosen.
  package let agreedProtocol: String
  package let verification: PeerVerification
  /// Reasons why clients other than OpenSSL may still refuse the connection.
  package let concerns: [PeerConcern]
}
