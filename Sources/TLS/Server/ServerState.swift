internal import COpenSSL

/// The state of a session on the server's side, which OpenSSL's callbacks use.
///
/// OpenSSL stores the state's address in the `SSL`. `Session` keeps the state alive as long as the
/// `SSL`.
final class ServerState: SessionState {
  // OpenSSL retains the SSL_CTX of an open SSL, but not our objects that the callbacks use.
  let context: ServerContext
  /// Retained for the whole session, so that a reload never frees the session's certificates or
  /// ticket keys too soon.
  let material: TLSMaterial
  /// The server name that the client sent (RFC 6066), in lower case; nil if the client sent no
  /// name.
  var serverName: [UInt8]?
  /// The certificates that the client-hello callback chose: at most one for each kind of key.
  var selection = TLSMaterial.Selection.none
  /// The certificate that answers a CA's challenge; nil if this handshake is not a challenge. The
  /// client sends no data after a challenge.
  var challenge: Certificate?
  /// Whether a ClientHello has arrived, valid or not.
  var hasClientHello = false
  /// Why a callback refused the handshake; nil if no callback refused the handshake.
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

  /// Attaches this state to the `SSL`, so that callbacks can find the state. Returns false if
  /// OpenSSL fails. The caller keeps the state alive until `SSL_free`.
  func attach(to ssl: OpaquePointer) -> Bool {
    unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque()) == 1
  }

  /// Returns the state attached to the session for which a callback is called.
  static func attached(to ssl: OpaquePointer?) -> ServerState? {
    guard let data = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
    return unsafe Unmanaged<ServerState>.fromOpaque(data).takeUnretainedValue()
  }
}
