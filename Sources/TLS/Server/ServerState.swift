internal import COpenSSL

/// The state of a session on the server's side, for the callbacks.
///
/// OpenSSL stores the state's address in the `SSL`. `Session` keeps the state alive as long as the
/// `SSL`.
final class ServerState: SessionState {
  // OpenSSL retains the SSL_CTX of an open SSL, but not the objects behind its callbacks.
  let context: ServerContext
  /// Retained for the whole session, so that a reload never frees the session's certificates or
  /// ticket keys too soon.
  let material: TLSMaterial
  /// The server name that the client sent (RFC 6066), in lower case; nil if it sent none.
  var serverName: [UInt8]?
  /// The certificates that the client-hello callback chose: at most one for each kind of key.
  var selection = TLSMaterial.Selection.none
  /// The certificate for a CA's challenge, if this handshake is a challenge. No data follows such a
  /// handshake.
  var challenge: Certificate?
  /// Whether a ClientHello has arrived, valid or not.
  var hasClientHello = false
  /// Why a callback refused the handshake.
  var refusal: Refusal?

  var serverNameText: String? { serverName.map { String(decoding: $0, as: UTF8.self) } }

  enum Refusal {
    case malformedServerName
    case unknownServerName
    case certificateNotUsable(String)
  }

  init(context: ServerContext, material: TLSMaterial) {
    self.context = context
    self.material = material
  }

  /// Attaches the state for the callbacks. The caller keeps the state alive until `SSL_free`.
  func attach(to ssl: OpaquePointer) -> Bool {
    unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque()) == 1
  }

  /// Returns the state attached to the session for which a callback is called.
  static func attached(to ssl: OpaquePointer?) -> ServerState? {
    guard let data = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
    return unsafe Unmanaged<ServerState>.fromOpaque(data).takeUnretainedValue()
  }
}
