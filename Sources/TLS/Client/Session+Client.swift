internal import COpenSSL
package import Posix

/// What the client's side of a session keeps.
final class ClientState: SessionState {
  let context: ClientContext
  /// The name that is asked for, or an address.
  let host: String

  init(context: ClientContext, host: String) {
    self.context = context
    self.host = host
  }
}

// What only the client's side has: whether the server is to be believed.
//
// The handshake ends well whatever certificate the server shows: before anything is sent or believed,
// ask `verification`.
extension Session {
  /// The client's side.
  ///
  /// - Parameter host: the name that is asked for (RFC 6066) and that the certificate must have; or
  ///   an address literal, which is not sent.
  package init(
    context: ClientContext, host: String, descriptor: borrowing FileDescriptor
  ) throws(TLSError) {
    let state = ClientState(context: context, host: host)
    try unsafe self.init(context.handle, .client(state), descriptor) { ssl in
      unsafe SSL_set_connect_state(ssl)
      return unsafe setNames(ssl, host)
    }
  }

  /// The protocol that the server chose by ALPN; empty when it chose none.
  package var agreedProtocol: String {
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(ssl, &start, &count)
    guard let start = unsafe start else { return "" }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  /// What the server showed, and whether it is to be believed; after the handshake. To the server's
  /// side nothing is shown.
  ///
  /// - Parameter now: seconds since 1970.
  package func verification(now: Int64) -> PeerVerification {
    guard case .client(let state) = side else {
      return PeerVerification(chain: [], faults: [.noCertificate])
    }
    var chain: [X509] = []
    let stack = unsafe SSL_get_peer_cert_chain(ssl)
    for index in 0..<max(0, unsafe aasa_x509_stack_count(stack)) {
      guard let pointer = unsafe aasa_x509_stack_get(stack, index),
        unsafe X509_up_ref(pointer) == 1
      else { break }
      chain.append(unsafe X509(owning: pointer))
    }
    return verify(chain, host: state.host, trust: state.context.trust, now: now)
  }
}

/// Server name and the protocol that is spoken (ALPN, RFC 7301).
private func setNames(_ ssl: OpaquePointer, _ host: String) -> Bool {
  let name = Array(host.utf8)
  // Literal addresses are not permitted as server names (RFC 6066 section 3).
  if ipAddress(name.span) == nil, unsafe aasa_set_server_name(ssl, host) != 1 { return false }
  let protocols: [UInt8] = [8] + Array("http/1.1".utf8)
  // Of all OpenSSL functions this one returns 0 for success.
  return unsafe SSL_set_alpn_protos(ssl, protocols, UInt32(protocols.count)) == 0
}
