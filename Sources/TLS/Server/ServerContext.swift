internal import COpenSSL

/// The settings of all server sessions: one `SSL_CTX` for the process's lifetime.
///
/// The context contains no certificates or ticket keys. Each session uses those in its
/// `TLSMaterial`, so a reload makes no new context, and each certificate takes only kilobytes.
///
/// The process must ignore SIGPIPE, because OpenSSL writes to sockets with `write`.
package final class ServerContext: Sendable {
  let handle: Handle
  /// The certificates for ACME challenges; nil if the server does not request certificates
  /// automatically.
  let challenges: ChallengeCertificates?

  /// - Parameters:
  ///   - tickets: The number of TLS 1.3 session tickets to send after a full handshake. One is
  ///     enough for a client that fetches a single file, because such a client connects again at
  ///     most once. A client should use each ticket only once (RFC 8446 appendix C.4).
  ///   - sessionLifetime: The lifetime of a ticket in seconds. RFC 8446 section 4.6.1 allows at
  ///     most 7 days.
  ///   - challenges: The certificates for ACME challenges; nil if there are none.
  package init(
    tickets: Int = 1, sessionLifetime: Int = TLSLimits.ticketLifetime,
    challenges: ChallengeCertificates? = nil
  ) throws(TLSError) {
    self.challenges = challenges
    ErrorQueue.clear()
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
      throw ErrorQueue.error("SSL_CTX_new")
    }
    handle = unsafe Handle(context)
    // From here on `deinit` frees the context, even if this initializer throws.
    try unsafe configureProtocol(context)
    unsafe configureSessions(context, tickets: tickets, lifetime: sessionLifetime)
    unsafe installCallbacks(context)
  }

  deinit { unsafe SSL_CTX_free(handle.pointer) }
}

/// The cipher suites of Mozilla's "intermediate" recommendation, version 5.7, with OpenSSL's names.
private enum Intermediate {
  static let tls13 =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"

  // Leave out Mozilla's three DHE-RSA suites. A client with DHE but no ECDHE predates universal
  // links. A finite-field exchange costs the server ten times as much as X25519, and any client can
  // force the server to make such an exchange at no cost to the client (CVE-2002-20001).
  static let tls12 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256"
    + ":ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384"
    + ":ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"

  static let groups = "X25519:P-256:P-384"
}

private func configureProtocol(_ context: OpaquePointer) throws(TLSError) {
  // Set everything explicitly, because a distribution's openssl.cnf may have other defaults.
  guard unsafe aasa_ctx_set_protocol_range(context, TLS1_2_VERSION, 0) == 1 else {
    throw ErrorQueue.error("SSL_CTX_set_min_proto_version")
  }
  guard unsafe SSL_CTX_set_ciphersuites(context, Intermediate.tls13) == 1 else {
    throw ErrorQueue.error("SSL_CTX_set_ciphersuites")
  }
  guard unsafe SSL_CTX_set_cipher_list(context, Intermediate.tls12) == 1 else {
    throw ErrorQueue.error("SSL_CTX_set_cipher_list")
  }
  guard unsafe aasa_ctx_set_groups(context, Intermediate.groups) == 1 else {
    throw ErrorQueue.error("SSL_CTX_set1_groups_list")
  }
  // Level 2, the default of Debian and of OpenSSL since 3.2, means 112 bits: RSA with 2048 bits is
  // accepted and a chain signed with SHA-1 is not.
  unsafe SSL_CTX_set_security_level(context, 2)
  // Use the server's order of suites, because scanners expect that. But use ChaCha20 for a client
  // that lists ChaCha20 first, because such a client has no AES hardware.
  unsafe SSL_CTX_set_options(context, aasa_op_cipher_server_preference | aasa_op_prioritize_chacha)
  // Accept the end of a stream without close_notify, because most clients do not send it. An HTTP
  // message states its length, so the server still recognizes a truncated request.
  unsafe SSL_CTX_set_options(
    context,
    aasa_op_no_compression | aasa_op_no_renegotiation | aasa_op_ignore_unexpected_eof)
}

private func configureSessions(_ context: OpaquePointer, tickets: Int, lifetime: Int) {
  // Use only stateless tickets. Stored sessions would take memory for clients that never return.
  unsafe aasa_ctx_set_session_cache_off(context)
  unsafe SSL_CTX_set_num_tickets(context, tickets)
  unsafe SSL_CTX_set_timeout(context, lifetime)
  // Tickets do not allow early data, which can be replayed (RFC 8446 section 8). A client may still
  // send early data, with a ticket from the server that had the name before. This server skips the
  // early data (section 4.2.10), up to the same limit as other servers.
  unsafe SSL_CTX_set_max_early_data(context, 0)
  unsafe SSL_CTX_set_recv_max_early_data(context, TLSLimits.skippedEarlyData)
  // Let idle connections free their buffers (34 KiB). Permit partial writes, and permit the
  // repetition of a write from another memory address, because the event loop's buffers move.
  unsafe aasa_ctx_set_mode(
    context,
    Int(SSL_MODE_RELEASE_BUFFERS)
      | Int(SSL_MODE_ENABLE_PARTIAL_WRITE) | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
  // Read the header and the content of a record with one system call.
  unsafe aasa_ctx_set_read_ahead(context)
}

private func installCallbacks(_ context: OpaquePointer) {
  unsafe SSL_CTX_set_client_hello_cb(context, clientHelloCallback, nil)
  unsafe aasa_ctx_acknowledge_server_name(context)
  unsafe SSL_CTX_set_cert_cb(context, certificateCallback, nil)
  unsafe SSL_CTX_set_alpn_select_cb(context, protocolCallback, nil)
  unsafe SSL_CTX_set_tlsext_ticket_key_evp_cb(context, ticketCallback)
}
