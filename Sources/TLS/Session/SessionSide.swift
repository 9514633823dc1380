/// The state of a session beside its `SSL`. It belongs to the thread that drives the session.
class SessionState {
  /// Why the session failed; nil if it has not.
  var failure: TLSFailure?
}

extension Session {
  /// Our side of the connection, and the state of that side only.
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

    /// The other side, for messages.
    var peer: String {
      switch self {
      case .server: "client"
      case .client: "server"
      }
    }

    /// Whether a handshake failed because the bytes are not TLS at all. OpenSSL recognizes plain
    /// HTTP by four methods, and on the server's side only; other text has no TLS version in it.
    func isPlainHTTP(_ verdict: QueueVerdict) -> Bool {
      switch self {
      case .server(let state):
        verdict.isPlainHTTP || verdict.isWrongVersion && !state.hasClientHello
      case .client: verdict.isWrongVersion
      }
    }

    /// Why a handshake failed.
    func failure(_ verdict: QueueVerdict) -> TLSFailure {
      if case .server(let state) = self, let refusal = state.refusal {
        return refusal.failure(serverName: state.serverNameText, queue: verdict.text)
      }
      return TLSFailure(verdict.fault, verdict.text, verdict.reason)
    }
  }
}
