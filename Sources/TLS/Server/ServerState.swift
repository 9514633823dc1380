internal import COpenSSL

/// What the server's side of a session keeps: what the callbacks read and write.
///
/// OpenSSL holds its address in the `SSL`; `Session` keeps it alive for as long as that `SSL`.
final class ServerState: SessionState {
  // OpenSSL holds the SSL_CTX for an open SSL, but not what stands behind its callbacks.
  private let context: ServerContext
  /// Kept for the whole life of the session, so that a reload never takes certificates or ticket
  /// keys away from under it.
  let material: TLSMaterial
  /// The name the client asked for (RFC 6066), lower-cased; nil when it named none.
  var serverName: [UInt8]?
  /// What the client-hello callback chose: at most one certificate for each kind of key.
  var selection = TLSMaterial.Selection.none
  /// Whether a ClientHello has come, good or bad.
  var hasClientHello = false
  /// Why a callback of ours refused the handshake, when one did.
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

  /// Puts the state where callbacks find it. The caller keeps it alive until `SSL_free`.
  func attach(to ssl: OpaquePointer) -> Bool {
    unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque()) == 1
  }

  /// The state attached to the session that OpenSSL calls back for.
  static func attached(to ssl: OpaquePointer?) -> ServerState? {
    guard let data = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
    return unsafe Unmanaged<ServerState>.fromOpaque(data).takeUnretainedValue()
  }
}
