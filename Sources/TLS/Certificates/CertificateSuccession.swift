internal import COpenSSL

/// Whether one certificate may replace another.
extension Certificate {
  /// Returns why clients that accept the old certificate would refuse this certificate; nil if
  /// clients would accept this certificate too.
  ///
  /// Clients accept this certificate if a path of currently valid certificates leads from it to a
  /// trusted root or to the last issuer of the old chain.
  ///
  /// - Parameter now: The current time, in seconds since 1970.
  package func fault(after old: Certificate, trust: TrustStore, now: Int64) -> String? {
    guard let before = old.decoded(), let after = decoded() else { return nil }
    // If even the old certificate has no valid path, nobody knows what clients accept.
    let end = before.intermediates.last
    if before.fault(upTo: end, trust, now: now) != nil { return nil }
    return after.fault(upTo: end, trust, now: now)
  }
}

extension UsableCertificate {
  /// Returns why no path of valid certificates leads from the server's certificate to a trusted
  /// root or to `end`; nil if there is such a path.
  ///
  /// - Parameter end: The last certificate of a chain that clients accept; nil if there is none.
  func fault(upTo end: X509?, _ trust: TrustStore, now: Int64) -> String? {
    let path = PathSearch(leaf: leaf, intermediates: intermediates, now: now)
    guard let fault = path.fault(upTo: trust) else { return nil }
    guard let end, let search = end.issuerSearch else { return fault }
    let ends = intermediates.filter { $0.issuerSearch == search }
    return ends.isEmpty ? fault : path.fault(upTo: ends)
  }
}

/// Searches for a certification path of a server's certificate, as clients do (RFC 5280 section 6).
private struct PathSearch {
  let leaf: X509
  let intermediates: [X509]
  let now: Int64

  func fault(upTo trust: TrustStore) -> String? {
    unsafe fault(store: unsafe trust.handle.pointer) { _, _ in true }
  }

  /// Returns why no path leads to one of the certificates `ends`; nil if there is such a path.
  ///
  /// - Parameter ends: Certificates that are trusted as if they were roots.
  func fault(upTo ends: [X509]) -> String? {
    guard let trusted = X509Stack(ends) else { return nil }
    return unsafe fault(store: nil) { search, parameters in
      unsafe X509_STORE_CTX_set0_trusted_stack(search, trusted.handle.pointer)
      return unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN)) == 1
    }
  }

  private func fault(
    store: OpaquePointer?, _ prepare: (OpaquePointer?, OpaquePointer?) -> Bool
  ) -> String? {
    ErrorQueue.clear()
    guard let search = unsafe X509_STORE_CTX_new(), let others = X509Stack(intermediates) else {
      return nil
    }
    defer {
      unsafe X509_STORE_CTX_free(search)
      ErrorQueue.clear()
    }
    let (certificate, sent) = unsafe (leaf.handle.pointer, others.handle.pointer)
    guard unsafe X509_STORE_CTX_init(search, store, certificate, sent) == 1,
      // The certificate must be suitable for TLS servers (RFC 5280 section 4.2.1.12).
      unsafe X509_STORE_CTX_set_default(search, "ssl_server") == 1
    else { return nil }
    let parameters = unsafe X509_STORE_CTX_get0_param(search)
    unsafe X509_VERIFY_PARAM_set_time(parameters, time_t(now))
    guard unsafe prepare(search, parameters) else { return nil }
    if unsafe X509_verify_cert(search) == 1 { return nil }
    let code = unsafe X509_STORE_CTX_get_error(search)
    let reason = unsafe X509_verify_cert_error_string(Int(code)).map { unsafe String(cString: $0) }
    let at = unsafe X509(sharing: X509_STORE_CTX_get_current_cert(search)) ?? leaf
    return "\"\(at.subject)\": \(reason ?? "error \(code)")"
  }
}
