package import Gzip
package import HTTP
package import Posix
package import TLS

/// The reason why a fetch failed, and the step in which it failed.
package enum FetchFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The steps of a fetch, in this order.
  package enum Step: String, Sendable, Equatable {
    case resolve, connect, proxy, handshake, request, response
  }

  /// The name has no address, or the lookup failed.
  case unresolved(ResolutionFault)
  /// No address accepted a connection. Each attempt contains its error.
  case unreachable([ConnectionAttempt])
  /// The name points to an address that the public internet cannot reach, and
  /// `FetchOptions.isPublicOnly` is set.
  case privateAddress(SocketAddress)
  /// The proxy did not open the tunnel. The text is the reason.
  case proxy(String)
  /// OpenSSL could not set up TLS on this side.
  case tlsUnusable(TLSError)
  /// The server answered the handshake with something other than TLS.
  case notTLS
  case handshake(TLSFailure)
  /// The server supports only HTTP/2, but this client supports only HTTP/1.1.
  case http2Only(Step)
  /// The server requires a client certificate.
  case clientCertificate(Step)
  /// The server's certificate is not trusted. The list contains the reasons.
  case untrusted([TrustFault])
  /// The connection broke in this step. The text is the reason, if it is known; otherwise nil.
  case lost(Step, String?)
  /// The fetch timed out in this step. `milliseconds` is the limit for the whole fetch. `received`
  /// is the number of bytes that arrived before the timeout.
  case timedOut(Step, milliseconds: Int64, received: Int)
  /// The answer is malformed.
  case response(ResponseFault)
  /// The response's content cannot be decompressed.
  case content(GzipFault)
  /// The response has a content coding that was not requested.
  case unknownCoding(String)

  /// The fault in one lower-case sentence without a full stop.
  package var description: String {
    switch self {
    case .unresolved(let fault): fault.description
    case .unreachable(let attempts): Self.words(attempts)
    case .privateAddress(let address):
      "the name resolves to \(address.host), \(address.privateKind ?? "a private address")"
    case .proxy(let reason): "the proxy did not open the tunnel: \(reason)"
    case .tlsUnusable(let error): "this machine cannot set up TLS: \(error)"
    case .notTLS: "the server does not speak TLS on this port"
    case .handshake(let failure): "the TLS handshake failed: \(failure)"
    case .http2Only: "the server speaks HTTP/2 only, which aasa does not support"
    case .clientCertificate: "the server demands a client certificate (mTLS)"
    case .untrusted(let faults): faults.map(\.description).joined(separator: "; ")
    case .lost(let step, let reason):
      "the connection was lost \(Self.during(step))" + (reason.map { ": \($0)" } ?? "")
    case .timedOut(let step, let milliseconds, let received):
      "timed out \(Self.during(step)), after \(Self.words(milliseconds))"
        + (received > 0 ? " and \(received) bytes" : "")
    case .response(let fault): fault.description
    case .content(let fault): fault.description
    case .unknownCoding(let name):
      "the content is sent with Content-Encoding \"\(name)\", which was not requested"
    }
  }

  /// How to fix the fault; nil if the message already says how.
  package var help: String? {
    switch self {
    case .unresolved(.noAddress):
      "check the spelling of the name, and its A and AAAA records"
    case .unresolved: "check this machine's resolver, and the domain's name servers"
    case .unreachable:
      "check that the server runs, and check firewalls and load balancers in front of it"
    case .proxy:
      "check HTTPS_PROXY and the proxy's log; NO_PROXY lists hosts that need no proxy"
    case .tlsUnusable, .privateAddress: nil
    case .notTLS: "serve HTTPS on this port; devices fetch the file only by HTTPS"
    case .handshake:
      "check the server's TLS settings: the server must have a certificate for the host, and "
        + "support TLS 1.2 or later"
    case .http2Only: "enable HTTP/1.1 on the server in addition to HTTP/2"
    case .clientCertificate:
      "stop requiring client certificates, at least for the association file's two paths: Apple's "
        + "CDN and devices have no client certificate"
    case .untrusted(let faults): faults.first?.help
    case .lost, .timedOut: "check the server's log, and firewalls and load balancers in front of it"
    case .response, .content, .unknownCoding:
      "find out what sent this answer: perhaps a proxy or firewall in front of the server"
    }
  }

  private static func during(_ step: Step) -> String {
    switch step {
    case .resolve: "while the name was resolved"
    case .connect: "while connecting"
    case .proxy: "while the proxy opened the tunnel"
    case .handshake: "in the TLS handshake"
    case .request: "while the request was sent"
    case .response: "while the answer was received"
    }
  }

  private static func words(_ milliseconds: Int64) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }

  private static func words(_ attempts: [ConnectionAttempt]) -> String {
    let texts = attempts.map { attempt in
      "\(attempt.address) \(attempt.error.map { "(\($0.reason))" } ?? "")"
    }
    return "cannot connect to any address: " + texts.joined(separator: ", ")
  }
}

/// An attempt to connect to one address.
package struct ConnectionAttempt: Sendable, Equatable {
  package let address: SocketAddress
  /// The error of the attempt; nil if the connection succeeded.
  package let error: SystemError?
  package let milliseconds: Int64
}
