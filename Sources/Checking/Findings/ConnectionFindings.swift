internal import AppSiteAssociation
internal import Bytes
internal import Client
internal import Diagnostics
internal import TLS

/// If the certificate is from a CA's test environment, returns a finding that says so, to replace
/// `finding`; otherwise returns nil.
func stagingFinding(_ finding: Finding, _ verification: PeerVerification) -> Finding? {
  guard finding.isOf(.unknownAuthority, .chainIncomplete),
    let issuer = verification.chain.map(\.issuer).first(where: { $0.contains("(STAGING)") })
  else { return nil }
  return Finding(
    .unknownAuthority,
    "the certificate is from a test environment, \"\(issuer)\", which devices do not trust",
    effect: finding.effect,
    help: "request the certificate again from the authority's production environment (certbot: "
      + "without --test-cert)",
    evidence: finding.evidence)
}

/// Returns findings about properties of a TLS connection that may make devices refuse the
/// connection, although this machine trusts the certificates.
func concernFindings(_ exchange: Exchange) -> [Finding] {
  (exchange.tls?.concerns ?? []).map { concern in
    switch concern {
    case .unusualKey(let kind):
      Finding(.unusualKey, "the certificate's key type is \(kind)")
    case .noForwardSecrecy(let cipher):
      Finding(.noForwardSecrecy, "the connection has no forward secrecy (\(cipher))")
    case .revoked:
      Finding(.revoked, "the certificate was revoked: the server's own OCSP response says so")
    }
  }
}

extension Kind {
  static let http2Only = Kind(
    "F025", "http2-only", "the server speaks HTTP/2 and not HTTP/1.1",
    "aasa could not check the file, because it does not support HTTP/2; devices and Apple's CDN "
      + "support HTTP/2",
    nil, effect: .unknown, fix: "enable HTTP/1.1 on the server, too")

  static let clientCertificate = Kind(
    "F026", "client-certificate", "the server demands a client certificate",
    "Apple's CDN and devices have no client certificate, so they get no file", nil,
    effect: .allDevices,
    fix: "exempt the host, or both paths, from mutual TLS")

  static let unusualKey = Kind(
    "F027", "unusual-key", "the certificate's key is neither RSA nor ECDSA",
    "App Transport Security allows only RSA and elliptic-curve keys; public authorities certify "
      + "no other keys", "Apple's page on App Transport Security (grade D)", severity: .warning,
    fix: "request a certificate with an ECDSA key (P-256) or an RSA key of 2048 bits or more")

  static let noForwardSecrecy = Kind(
    "F028", "no-forward-secrecy", "the cipher suite has no forward secrecy",
    "App Transport Security requires forward secrecy; devices may refuse the connection",
    "Apple's page on App Transport Security (grade D)", severity: .warning,
    fix: "offer cipher suites that begin with ECDHE, or TLS 1.3")

  static let revoked = Kind(
    "F029", "revoked",
    "the server's own OCSP response says that its certificate was revoked",
    "devices check that response and refuse the connection", trustedSource, effect: .allDevices,
    fix: "request a new certificate, and find out who revoked the old certificate")

  static let connectionKinds: [Kind] = [
    .http2Only, .clientCertificate, .unusualKey, .noForwardSecrecy, .revoked,
  ]
}
