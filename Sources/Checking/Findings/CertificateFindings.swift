internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import Posix
internal import TLS

/// A certificate causes a warning if it expires in fewer days than this number.
private let warningDays: Int64 = 14

/// Returns findings about the certificates with which a server answered.
func certificateFindings(_ exchange: Exchange, _ evidence: DomainEvidence) -> [Finding] {
  guard let verification = exchange.tls?.verification else { return [] }
  let chain = verification.chain.enumerated().map { index, certificate in
    "certificate \(index + 1): \"\(certificate.subject)\", issued by \"\(certificate.issuer)\", "
      + "until \(certificate.lastDay)"
  }
  var findings = verification.faults.map { fault in
    let help: String? =
      switch fault {
      // For these faults, the help text of the finding's kind is too general.
      case .nameNotPermitted, .unknownIssuer: fault.help
      default: nil
      }
    let finding = Finding(kind(of: fault), fault.description, help: help, evidence: chain)
    return stagingFinding(finding, verification) ?? finding
  }
  findings += concernFindings(exchange)
  if let leaf = verification.chain.first {
    let days = leaf.daysLeft(at: evidence.now)
    if (0..<warningDays).contains(days) {
      findings.append(
        Finding(
          .certificateExpiresSoon, "the certificate expires in \(days) days, on \(leaf.lastDay)"))
    }
  }
  return findings
}

private func kind(of fault: TrustFault) -> Kind {
  switch fault {
  case .wrongName: .wrongName
  case .expired: .certificateExpired
  case .notYetValid: .certificateNotYetValid
  case .selfSigned: .selfSigned
  case .incompleteChain: .chainIncomplete
  case .unknownAuthority, .unknownIssuer: .unknownAuthority
  case .noCertificate, .nameNotPermitted, .other: .certificateRefused
  }
}

extension Kind {
  private static let refused = "devices and Apple's CDN refuse the connection"

  static let notTLS = Kind(
    "F010", "no-tls", "the server does not speak TLS on the port", refused,
    trustedSource, effect: .allDevices,
    fix: "serve HTTPS on port 443; often port 443 is forwarded to a port for plain HTTP")

  static let handshakeFails = Kind(
    "F011", "handshake-failed", "the TLS handshake fails", refused, trustedSource,
    effect: .allDevices,
    fix: "configure the server for this host name (SNI) and TLS 1.2 or later")

  static let wrongName = Kind(
    "F012", "wrong-name", "the certificate does not cover the name of the host", refused,
    trustedSource, effect: .allDevices,
    fix: "request a certificate that has this host as subjectAltName; often the server sends its "
      + "default certificate, because no other certificate covers the host")

  static let certificateExpired = Kind(
    "F013", "served-certificate-expired", "a certificate of the chain has expired",
    refused, trustedSource, effect: .allDevices,
    fix: "renew the certificate, and make the server load the new certificate")

  static let certificateNotYetValid = Kind(
    "F014", "not-yet-valid", "a certificate of the chain is not valid yet", refused,
    trustedSource, effect: .allDevices,
    fix: "check the clocks of this machine and of the issuer")

  static let selfSigned = Kind(
    "F015", "served-self-signed", "the certificate is self-signed", refused,
    trustedSource, effect: .allDevices,
    fix: "use a certificate from a public authority, such as Let's Encrypt")

  static let chainIncomplete = Kind(
    "F016", "incomplete-chain",
    "the server sends its certificate without the intermediates",
    "browsers often know the intermediate certificate from other sites, which hides the fault; "
      + "Apple's CDN, and devices that do not know this certificate, refuse the connection",
    "RFC 8446 section 4.4.2",
    effect: .allDevices,
    fix: "send the whole chain: certbot's fullchain.pem instead of cert.pem")

  static let unknownAuthority = Kind(
    "F017", "unknown-authority", "the chain ends at an authority that is not trusted",
    refused, trustedSource, effect: .allDevices,
    fix: "use a certificate from a public authority; a private authority works only with "
      + "?mode=managed")

  static let certificateRefused = Kind(
    "F018", "served-certificate-refused",
    "the certificate cannot be verified, and the reason is none of F012 to F017",
    refused,
    trustedSource, effect: .allDevices,
    fix: "request a new certificate; if the new certificate has the same fault, use another issuer")

  static let certificateExpiresSoon = Kind(
    "F019", "expires-soon", "the certificate expires within 14 days",
    "devices refuse the connection after the certificate expires", nil, severity: .warning,
    fix: "renew the certificate, and find out why no automatic renewal happened")

  static let certificateKinds: [Kind] =
    [
      .notTLS, .handshakeFails, .wrongName, .certificateExpired, .certificateNotYetValid,
      .selfSigned,
      .chainIncomplete, .unknownAuthority, .certificateRefused, .certificateExpiresSoon,
    ] + connectionKinds
}
