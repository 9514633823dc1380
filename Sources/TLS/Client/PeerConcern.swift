internal import COpenSSL

/// A reason why clients other than OpenSSL may refuse a server whose chain is trusted.
package enum PeerConcern: Sendable, Equatable {
  /// No public CA certifies keys of this kind.
  case unusualKey(String)
  /// Anyone who gets the server's key later can decrypt connections recorded now.
  case noForwardSecrecy(cipher: String)
  /// The server's stapled OCSP response (RFC 6961) says that the server's certificate is revoked.
  case revoked
}

extension Session {
  /// The reasons why clients other than OpenSSL may refuse the server, after the handshake.
  package var concerns: [PeerConcern] {
    var concerns: [PeerConcern] = []
    if let certificate = unsafe SSL_get0_peer_certificate(ssl),
      let key = unsafe X509_get0_pubkey(certificate)
    {
      let kind = unsafe EVP_PKEY_get_base_id(key)
      if kind == EVP_PKEY_ED25519 { concerns.append(.unusualKey("Ed25519")) }
      if kind == EVP_PKEY_ED448 { concerns.append(.unusualKey("Ed448")) }
    }
    if let cipher = unsafe SSL_get_current_cipher(ssl),
      unsafe SSL_CIPHER_get_kx_nid(cipher) == NID_kx_rsa,
      let name = unsafe SSL_CIPHER_get_name(cipher)
    {
      concerns.append(.noForwardSecrecy(cipher: unsafe String(cString: name)))
    }
    if staplesRevocation { concerns.append(.revoked) }
    return concerns
  }

  /// If the server requested a client certificate, adds this fact to the failure. TLS 1.2 has no
  /// alert that says that a client certificate is missing.
  func withDemand(_ failure: TLSFailure) -> TLSFailure {
    guard case .client = side, failure.reason == .alert, unsafe SSL_get0_peer_CA_list(ssl) != nil
    else { return failure }
    return TLSFailure(failure.fault, failure.description + ": certificate required", .alert)
  }

  /// Whether the server's stapled OCSP response says that the certificate is revoked. Does not
  /// check the response's signature, because the server itself sent the response.
  private var staplesRevocation: Bool {
    var bytes: UnsafePointer<UInt8>?
    let count = unsafe aasa_stapled_response(ssl, &bytes)
    guard count > 0, unsafe bytes != nil else { return false }
    defer { ErrorQueue.clear() }
    guard let response = unsafe d2i_OCSP_RESPONSE(nil, &bytes, count) else { return false }
    defer { unsafe OCSP_RESPONSE_free(response) }
    guard let basic = unsafe OCSP_response_get1_basic(response) else { return false }
    defer { unsafe OCSP_BASICRESP_free(basic) }
    return (0..<max(0, unsafe OCSP_resp_count(basic))).contains { index in
      guard let single = unsafe OCSP_resp_get0(basic, index) else { return false }
      return unsafe OCSP_single_get0_status(single, nil, nil, nil, nil)
        == V_OCSP_CERTSTATUS_REVOKED
    }
  }
}
