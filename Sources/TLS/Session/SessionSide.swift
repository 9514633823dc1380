/// What every session keeps beside its `SSL`. It belongs to the thread that drives the session.
class SessionState {
  /// What became of the session, once it has failed.
  var failure: TLSFailure?
}

extension Session {
  /// Which side of the connection is ours, and what only that side keeps.
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

    /// Who is at the other end.
    var peer: String {
      switch self {
      case .server: "client"
      case .client: "server"
      }
    }

    /// Whether a handshake failed because what came is not TLS at all. OpenSSL recognises plain HTTP by
    /// four methods, and only on the server's side; other text has no version of TLS in it.
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
