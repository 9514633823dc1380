internal import Bytes
internal import COpenSSL

/// Verifies a server's chain for a host (RFC 5280 section 6, RFC 9525).
///
/// Checks names, times and the path to a root separately, so that all faults are reported at once.
/// OpenSSL itself stops at the first fault.
func verify(_ chain: [X509], host: String, trust: TrustStore, now: Int64) -> PeerVerification {
  let shown = chain.map { certificate in
    let validity = certificate.validity ?? (0, 0)
    return PeerCertificate(
      subject: certificate.subject, issuer: certificate.issuer, serial: certificate.serial,
      names: certificate.names,
      notBefore: validity.0, notAfter: validity.1, isSelfSigned: certificate.isSelfSigned)
  }
  guard let leaf = chain.first, let first = shown.first else {
    return PeerVerification(chain: [], faults: [.noCertificate])
  }
  var faults: [TrustFault] = []
  let name = Array(host.lowercased().utf8)
  if !first.names.covers(host: name.span) {
    let addresses = first.names.addresses.compactMap { IPAddress(octets: $0)?.description }
    faults.append(
      .wrongName(host: host, names: first.names.hosts + addresses + leaf.namesNobodyAccepts))
  }
  // A chain may have two certificates of the same CA, only one of which is valid now. So first
  // search for a path on which all certificates are valid (RFC 4158 section 2.4.1).
  let valid = findPath(from: leaf, chain, trust, at: now)
  if valid.fault == nil { return PeerVerification(chain: shown, faults: faults) }
  let path = findPath(from: leaf, chain, trust)
  if let fault = path.fault { faults.append(fault) }
  // If there is no path, check only the validity period of the server's own certificate.
  for certificate in path.fault == nil ? path.certificates : [leaf] {
    guard let validity = certificate.validity else { continue }
    if now > validity.notAfter {
      faults.append(.expired(certificate: certificate.subject, notAfter: validity.notAfter))
    } else if now < validity.notBefore {
      faults.append(.notYetValid(certificate: certificate.subject, notBefore: validity.notBefore))
    }
  }
  return PeerVerification(chain: shown, faults: faults)
}

private struct Path {
  var certificates: [X509] = []
  var fault: TrustFault?
}

/// Finds a path from the leaf to a trusted root. If there is no path, returns the fault.
///
/// - Parameter now: The time at which all certificates of the path must be valid; nil to ignore
///   times.
private func findPath(
  from leaf: X509, _ chain: [X509], _ trust: TrustStore, at now: Int64? = nil
) -> Path {
  let failed = Path(
    fault: .other(
      certificate: leaf.subject,
      reason: "OpenSSL cannot verify the certificate"))
  ErrorQueue.clear()
  guard let search = unsafe X509_STORE_CTX_new(), let others = X509Stack(chain) else {
    return failed
  }
  defer {
    unsafe X509_STORE_CTX_free(search)
    ErrorQueue.clear()
  }
  let store = unsafe trust.handle.pointer
  guard
    unsafe X509_STORE_CTX_init(search, store, leaf.handle.pointer, others.handle.pointer) == 1,
    // The certificate must be suitable for TLS servers (RFC 5280 section 4.2.1.12).
    unsafe X509_STORE_CTX_set_default(search, "ssl_server") == 1
  else { return failed }
  let parameters = unsafe X509_STORE_CTX_get0_param(search)
  if let now {
    unsafe X509_VERIFY_PARAM_set_time(parameters, time_t(now))
  } else {
    _ = unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
  }
  // Security level 2 means 112 bits: RSA keys need 2048 bits, and SHA-1 signatures are refused. The
  // server has the same requirements for its own files.
  unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
  if unsafe X509_verify_cert(search) == 1 {
    return Path(certificates: unsafe X509.list(sharing: X509_STORE_CTX_get0_chain(search)))
  }
  let current = unsafe X509(sharing: X509_STORE_CTX_get_current_cert(search)) ?? leaf
  return Path(
    fault: fault(unsafe X509_STORE_CTX_get_error(search), at: current, sent: chain.count))
}

private func fault(_ code: Int32, at certificate: X509, sent: Int) -> TrustFault {
  switch code {
  case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    return .selfSigned(subject: certificate.subject)
  case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    return .unknownAuthority(issuer: certificate.subject)
  case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
    X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    if sent > 1 { return .unknownAuthority(issuer: certificate.issuer) }
    return certificate.isOfPublicAuthority
      ? .incompleteChain(last: certificate.subject, issuer: certificate.issuer)
      : .unknownIssuer(of: certificate.subject, issuer: certificate.issuer)
  case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION:
    return .nameNotPermitted(certificate: certificate.subject)
  default:
    let reason = unsafe X509_verify_cert_error_string(Int(code)).map { unsafe String(cString: $0) }
    return .other(certificate: certificate.subject, reason: reason ?? "error \(code)")
  }
}
