internal import COpenSSL

/// The settings of all client sessions: versions, cipher suites and trusted roots.
///
/// The process must ignore SIGPIPE, because OpenSSL writes to sockets with `write`.
package final class ClientContext: Sendable {
  let handle: Handle
  let trust: TrustStore

  /// - Parameter trust: The trusted roots.
  package init(trust: TrustStore) throws(TLSError) {
    ErrorQueue.clear()
    guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
      throw ErrorQueue.error("SSL_CTX_new")
    }
    handle = unsafe Handle(context)
    self.trust = trust
    // Apple's devices require TLS 1.2 or later (App Transport Security).
    guard unsafe aasa_ctx_set_protocol_range(context, TLS1_2_VERSION, 0) == 1 else {
      throw ErrorQueue.error("SSL_CTX_set_min_proto_version")
    }
    // Security level 1 accepts chains that level 2 would refuse in the handshake, so that the user
    // can inspect these chains. The verification after the handshake uses level 2.
    unsafe SSL_CTX_set_security_level(context, 1)
    unsafe SSL_CTX_set_options(
      context,
      aasa_op_no_compression | aasa_op_no_renegotiation | aasa_op_ignore_unexpected_eof)
    unsafe aasa_ctx_set_session_cache_off(context)
    unsafe aasa_ctx_set_mode(
      context, Int(SSL_MODE_ENABLE_PARTIAL_WRITE) | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
    // `Session.verification` checks the chain after the handshake, so that even an untrusted chain
    // can be shown.
    unsafe SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
  }

  deinit { unsafe SSL_CTX_free(handle.pointer) }
}
