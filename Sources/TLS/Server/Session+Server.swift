internal import COpenSSL
internal import LibC
package import Posix

// The server's side of a session, which chooses certificates by the server name.
extension Session {
  /// Begins a session as the server.
  package init(
    context: ServerContext, material: TLSMaterial, descriptor: borrowing FileDescriptor
  ) throws(TLSError) {
    let state = ServerState(context: context, material: material)
    try unsafe self.init(context.handle, .server(state), descriptor) { ssl in
      unsafe SSL_set_accept_state(ssl)
      return unsafe state.attach(to: ssl)
    }
  }

  @inline(__always)
  private var server: ServerState? {
    if case .server(let state) = side { return state }
    return nil
  }

  /// Whether the handshake was a CA's challenge. The client sends no data after a challenge.
  package var isChallenge: Bool { server?.challenge != nil }

  /// Returns whether this connection's certificate covers `host`, given in lower case without port
  /// or final dot. An IP address (IPv6 with or without brackets) is compared with the certificate's
  /// iPAddress names.
  ///
  /// The self-signed fallback covers every host.
  package func covers(host: Span<UInt8>) -> Bool {
    guard let server else { return false }
    return server.selection.covers(host: host, serverName: server.serverName)
  }

  /// Returns whether `host` equals the connection's server name byte for byte, and the certificates
  /// cover that name. In the usual case, this check is enough, and is faster than `covers`.
  package func isOpenedFor(host: Span<UInt8>) -> Bool {
    guard let server, case .serverName = server.selection.basis, let name = server.serverName,
      name.count == host.count
    else {
      return false
    }
    return unsafe name.withUnsafeBytes { name in
      unsafe host.withUnsafeBytes { host in
        guard let left = name.baseAddress, let right = host.baseAddress else { return false }
        return unsafe memcmp(left, right, name.count) == 0
      }
    }
  }

  /// Returns the number of the TLS version (0x0304 is TLS 1.3, RFC 8446 section 4.2.1), and whether
  /// a session ticket replaced the full handshake.
  package func agreement() -> (version: Int32, wasResumed: Bool) {
    (unsafe SSL_version(ssl), wasResumed)
  }

  /// Whether a session ticket replaced the full handshake.
  package var wasResumed: Bool { unsafe SSL_session_reused(ssl) == 1 }
}
