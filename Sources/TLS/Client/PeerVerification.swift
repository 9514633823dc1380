/// The chain that a server sent in the handshake, and its faults.
package struct PeerVerification: Sendable, Equatable {
  /// The certificates in the order in which the server sent them, the server's own certificate
  /// first.
  package let chain: [PeerCertificate]
  /// The faults; empty if the server is trusted. The user should fix the first fault first.
  package let faults: [TrustFault]

  package var isTrusted: Bool { faults.isEmpty }
}

/// A certificate that a server sent, with its fields as text.
package struct PeerCertificate: Sendable, Equatable {
  /// The subject's common name, or the whole subject if it has no common name.
  package let subject: String
  package let issuer: String
  /// The serial number in hexadecimal digits.
  package let serial: String
  package let names: CertificateNames
  /// The first second of the validity period, in seconds since 1970.
  package let notBefore: Int64
  /// The last second of the validity period, in seconds since 1970.
  package let notAfter: Int64
  let isSelfSigned: Bool

  /// Returns the number of whole days until the certificate expires; negative if it has expired.
  package func daysLeft(at now: Int64) -> Int64 {
    let seconds = notAfter - now
    return seconds >= 0 ? seconds / 86_400 : -((-seconds + 86_399) / 86_400)
  }

  /// The day in UTC on which the certificate expires, such as `2027-01-31`.
  package var lastDay: String { day(notAfter) }
}

/// A reason not to trust a server.
package enum TrustFault: Sendable, Equatable, CustomStringConvertible {
  /// The server sent no certificate.
  case noCertificate
  /// The certificate does not cover the host.
  case wrongName(host: String, names: [String])
  /// Times are in seconds since 1970.
  case expired(certificate: String, notAfter: Int64)
  case notYetValid(certificate: String, notBefore: Int64)
  /// The certificate is self-signed, and this machine does not trust it.
  case selfSigned(subject: String)
  /// The server sent only its own certificate, whose issuer is an intermediate.
  case incompleteChain(last: String, issuer: String)
  /// The server sent only its own certificate, whose issuer may be a root that this machine does
  /// not trust.
  case unknownIssuer(of: String, issuer: String)
  /// The chain leads to a CA that this machine does not trust.
  case unknownAuthority(issuer: String)
  /// A CA in the chain is not allowed to certify a name of the certificate (RFC 5280 section
  /// 4.2.1.10).
  case nameNotPermitted(certificate: String)
  /// Any other fault, in OpenSSL's words.
  case other(certificate: String, reason: String)

  /// The fault in one lower-case sentence without a full stop.
  package var description: String {
    switch self {
    case .noCertificate: "the server sent no certificate"
    case .wrongName(let host, let names) where names.isEmpty:
      "the certificate has no host name, so it is not valid for \(host)"
    case .wrongName(let host, let names):
      "the certificate is not for \(host) but for \(listed(names))"
        + (names.contains { $0.dropFirst().contains("*") }
          ? ", and clients accept a * only as the whole first part of a name" : "")
    case .expired(let certificate, let notAfter):
      "the certificate \"\(certificate)\" expired on \(day(notAfter))"
    case .notYetValid(let certificate, let notBefore):
      "the certificate \"\(certificate)\" is not valid before \(day(notBefore))"
    case .selfSigned(let subject): "the certificate \"\(subject)\" is self-signed"
    case .incompleteChain(let last, let issuer):
      "the chain is incomplete: the server sends \"\(last)\" without the certificate of its "
        + "issuer \"\(issuer)\""
    case .unknownIssuer(let last, let issuer):
      "the server sends only \"\(last)\", and this machine does not trust its issuer \"\(issuer)\""
    case .unknownAuthority(let issuer):
      "the chain ends at the authority \"\(issuer)\", which this machine does not trust"
    case .nameNotPermitted(let certificate):
      "the certificate \"\(certificate)\" has a name that one of its issuers is not permitted to "
        + "certify"
    case .other(let certificate, let reason): "the certificate \"\(certificate)\": \(reason)"
    }
  }

  /// How to fix the fault.
  package var help: String {
    switch self {
    case .noCertificate, .wrongName:
      "request a certificate with this host as subjectAltName, and check which certificate the "
        + "server uses"
    case .expired: "renew the certificate, and let the server read the new one"
    case .notYetValid: "check the clocks of this machine and of the issuer"
    case .selfSigned: "use a certificate of a public authority, such as Let's Encrypt"
    case .incompleteChain:
      "let the server send the intermediates too, for example with certbot's fullchain.pem "
        + "instead of cert.pem"
    case .unknownIssuer(_, let issuer):
      "if \"\(issuer)\" is an intermediate, let the server send it too; if it is a root of your own, "
        + "use a certificate of a public authority"
    case .unknownAuthority:
      "use a certificate of a public authority, and send its intermediates"
    case .nameNotPermitted:
      "request a certificate from another issuer: a new one from this issuer would have the same"
        + " fault"
    case .other: "request a new certificate"
    }
  }

  private func listed(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ")
      + (names.count > 5 ? " and \(names.count - 5) more" : "")
  }
}
