internal import COpenSSL
package import Posix

/// The state of a session on the client's side.
final class ClientState: SessionState {
  let context: ClientContext
  /// The requested host name, or an IP address.
  let host: String

  init(context: ClientContext, host: String) {
    self.context = context
    self.host = host
  }
}

// The client's side of a session, which decides whether to trust the server.
//
// The handshake succeeds with any certificate. Check `verification` before you send data or trust
// the received data.
extension Session {
  /// Begins a session as the client.
  ///
  /// - Parameter host: The requested host name or IP address, which the certificate must cover.
  ///   Only a host name is sent to the server (RFC 6066).
  /// - Parameter protocolName: The protocol to offer by ALPN.
  package init(
    context: ClientContext, host: String, protocolName: String = "http/1.1",
    descriptor: borrowing FileDescriptor
  ) throws(TLSError) {
    let state = ClientState(context: context, host: host)
    try unsafe self.init(context.handle, .client(state), descriptor) { ssl in
      unsafe SSL_set_connect_state(ssl)
      return unsafe setNames(ssl, host, protocolName)
    }
  }

  /// The protocol that the server chose by ALPN; empty if it chose none.
  package var agreedProtocol: String {
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(ssl, &start, &count)
    guard let start = unsafe start else { return "" }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  /// Replaces the session's failure with the alert that the server sent before it closed the
  /// connection. The alert shows why the write failed.
  func readLastAlert() {
    var (byte, count): (UInt8, Int) = (0, 0)
    ErrorQueue.clear()
    let result = unsafe SSL_peek_ex(ssl, &byte, 1, &count)
    guard result != 1, unsafe SSL_get_error(ssl, result) == SSL_ERROR_SSL else {
      ErrorQueue.clear()
      return
    }
    let verdict = QueueVerdict()
    side.state.failure = TLSFailure(verdict.fault, verdict.text, verdict.reason)
  }

  /// Returns the server's chain and its faults. Call this method after the handshake, and only on
  /// the client's side, because a server receives no chain.
  ///
  /// - Parameter now: The current time, in seconds since 1970.
  package func verification(now: Int64) -> PeerVerification {
    guard case .client(let state) = side else {
      return PeerVerification(chain: [], faults: [.noCertificate])
    }
    let chain = unsafe X509.list(sharing: SSL_get_peer_cert_chain(ssl))
    return verify(chain, host: state.host, trust: state.context.trust, now: now)
  }

  /// The serial number of the server's certificate, in hexadecimal digits; nil if the server sent
  /// no certificate.
  package var peerSerial: String? {
    unsafe X509.list(sharing: SSL_get_peer_cert_chain(ssl)).first?.serial
  }
}

/// Sets the server name, the request for a stapled OCSP response, and the protocol to offer (ALPN,
/// RFC 7301).
private func setNames(_ ssl: OpaquePointer, _ host: String, _ protocolName: String) -> Bool {
  let name = Array(host.utf8)
  // Literal addresses are not permitted as server names (RFC 6066 section 3).
  if ipAddress(name.span) == nil, unsafe aasa_set_server_name(ssl, host) != 1 { return false }
  if unsafe aasa_request_staple(ssl) != 1 { return false }
  let protocols = [UInt8(protocolName.utf8.count)] + Array(protocolName.utf8)
  // Unlike other OpenSSL functions, this one returns 0 for success.
  return unsafe SSL_set_alpn_protos(ssl, protocols, UInt32(protocols.count)) == 0
}
