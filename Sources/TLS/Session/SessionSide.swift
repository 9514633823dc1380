/// The state of a session that is not in OpenSSL's `SSL`. Only the session's thread may use it.
class SessionState {
  /// Why the session failed; nil if the session has not failed.
  var failure: TLSFailure?
}

extension Session {
  /// Our side of the connection, client or server, with the state of that side.
  enum Side {
    case server(ServerState)
    case client(ClientState)

    var state: SessionState {
      switch self {
      case .server(let state): state
      case .client(let state): state
      }
    }

    @inline(__always)
    var hasFailed: Bool { state.failure != nil }

    /// The name of the other side in messages.
    var peer: String {
      switch self {
      case .server: "client"
      case .client: "server"
      }
    }

    /// Returns whether a handshake failed because the received bytes are not TLS. OpenSSL
    /// recognizes plain HTTP only on the server's side, and only four HTTP methods. It reports any
    /// other text as a wrong TLS version.
    func isPlainHTTP(_ verdict: QueueVerdict) -> Bool {
      switch self {
      case .server(let state):
        verdict.isPlainHTTP || verdict.isWrongVersion && !state.hasClientHello
      case .client: verdict.isWrongVersion
      }
    }

    /// Returns why a handshake failed.
    func failure(_ verdict: QueueVerdict) -> TLSFailure {
      if case .server(let state) = self, let refusal = state.refusal {
        return refusal.failure(serverName: state.serverNameText, queue: verdict.text)
      }
      return TLSFailure(verdict.fault, verdict.text, verdict.reason)
    }
  }
}
