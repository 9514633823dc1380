package import Gzip
package import HTTP
package import Posix
package import TLS

/// Where a fetch ended, and why.
package enum FetchFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The steps in their order.
  package enum Step: String, Sendable, Equatable {
    case resolve, connect, proxy, handshake, request, response
  }

  /// The name has no address, or none could be found out.
  case unresolved(ResolutionFault)
  /// No address answered; what each said is in `Exchange.attempts`.
  case unreachable([ConnectionAttempt])
  /// The proxy made no tunnel.
  case proxy(String)
  /// TLS could not be set up on our side.
  case tlsUnusable(TLSError)
  /// What the server answered to the handshake is not TLS.
  case notTLS
  case handshake(TLSFailure)
  /// The server's certificate is not to be believed; at least one reason.
  case untrusted([TrustFault])
  /// The connection broke in this step, with the reason if one is known.
  case lost(Step, String?)
  /// Time was over in this step; milliseconds that there were for everything, and what had come.
  case timedOut(Step, milliseconds: Int64, received: Int)
  /// The answer cannot be understood.
  case response(ResponseFault)
  /// The content coding cannot be removed.
  case content(GzipFault)
  /// A content coding that nobody asked for.
  case unknownCoding(String)

  package var step: Step {
    switch self {
    case .unresolved: .resolve
    case .unreachable: .connect
    case .proxy: .proxy
    case .tlsUnusable, .notTLS, .handshake, .untrusted: .handshake
    case .lost(let step, _), .timedOut(let step, _, _): step
    case .response, .content, .unknownCoding: .response
    }
  }

  /// One lower-case sentence without a full stop.
  package var description: String {
    switch self {
    case .unresolved(let fault): fault.description
    case .unreachable(let attempts): Self.words(attempts)
    case .proxy(let reason): "the proxy makes no tunnel: \(reason)"
    case .tlsUnusable(let error): "TLS cannot be used here: \(error)"
    case .notTLS: "the server does not speak TLS on this port"
    case .handshake(let failure): "the TLS handshake failed: \(failure)"
    case .untrusted(let faults): faults.map(\.description).joined(separator: "; ")
    case .lost(let step, let reason):
      "the connection was lost \(Self.during(step))" + (reason.map { ": \($0)" } ?? "")
    case .timedOut(let step, let milliseconds, let received):
      "no end \(Self.during(step)) within \(Self.words(milliseconds))"
        + (received > 0 ? ", after \(received) bytes" : "")
    case .response(let fault): fault.description
    case .content(let fault): fault.description
    case .unknownCoding(let name):
      "the content is sent with Content-Encoding \"\(name)\", which nobody asked for"
    }
  }

  /// How to fix it; nil when the message says it.
  package var help: String? {
    switch self {
    case .unresolved(.noAddress):
      "look whether the name is spelt correctly, and at its A and AAAA records"
    case .unresolved: "look at this machine's resolver, and at the domain's name servers"
    case .unreachable: "look whether the server runs, and at firewalls and load balancers before it"
    case .proxy:
      "look at HTTPS_PROXY and at the proxy's log; NO_PROXY names hosts that are asked without it"
    case .tlsUnusable: nil
    case .notTLS: "let the server speak HTTPS on this port; devices fetch the file by nothing else"
    case .handshake:
      "look at the server's TLS settings: it must know the host, and TLS 1.2 or later"
    case .untrusted(let faults): faults.first?.help
    case .lost, .timedOut: "look at the server's log, and at firewalls and load balancers before it"
    case .response, .content, .unknownCoding:
      "ask what stands before the server, a proxy or a firewall, whose answer this is"
    }
  }

  private static func during(_ step: Step) -> String {
    switch step {
    case .resolve: "while the name was resolved"
    case .connect: "while connecting"
    case .proxy: "while the proxy made a tunnel"
    case .handshake: "in the TLS handshake"
    case .request: "while the request was sent"
    case .response: "of the answer"
    }
  }

  private static func words(_ milliseconds: Int64) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }

  private static func words(_ attempts: [ConnectionAttempt]) -> String {
    let texts = attempts.map { attempt in
      "\(attempt.address) \(attempt.error.map { "(\($0.reason))" } ?? "")"
    }
    return "no address can be connected to: " + texts.joined(separator: ", ")
  }
}

/// One address that was tried.
package struct ConnectionAttempt: Sendable, Equatable {
  package let address: SocketAddress
  /// Nil when the connection was made.
  package let error: SystemError?
  package let milliseconds: Int64
}
