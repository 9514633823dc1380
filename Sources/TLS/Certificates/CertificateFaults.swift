internal import Bytes
package import Diagnostics

/// Why a certificate's files cannot be used.
package enum CertificateFault: Error, Sendable, Equatable {
  case fileTooLarge(path: String)
  case tooManyCertificates(path: String, count: Int)
  /// - Parameters:
  ///   - found: A description of the file's content.
  ///   - isArchive: Whether the file is a PKCS #12 archive.
  case noCertificate(path: String, found: String, isArchive: Bool)
  case broken(Diagnostic.Location, String)
  /// The bytes of a valid PEM block are not what the block's label says.
  case undecodable(Diagnostic.Location, what: String)
  case noKey(chain: String, key: String?)
  case keyMismatch(chain: String, key: String)
  /// - Parameter isForSigning: Whether a person, not a server, signs with the key.
  case keyEncrypted(Diagnostic.Location, isForSigning: Bool)
  case keyUnsupported(Diagnostic.Location, name: String)
  case keyWeak(Diagnostic.Location, bits: Int)
}

extension CertificateFault {
  /// The fault as a diagnostic.
  package var diagnostic: Diagnostic {
    switch self {
    case .fileTooLarge(let path):
      Diagnostic(
        .certificateFileTooLarge,
        "the file has more than \(TLSLimits.pemFileBytes) bytes, the limit for a chain and its key",
        at: .init(path: path))
    case .tooManyCertificates(let path, let count):
      Diagnostic(
        .certificateFileTooLarge,
        "the file has \(count) certificates; the limit for a chain is \(TLSLimits.chainCertificates)",
        at: .init(path: path))
    case .noCertificate(let path, let found, let isArchive):
      Diagnostic(
        .noCertificate, "this file contains no certificate: \(found)", at: .init(path: path),
        help: "a certificate begins with \"-----BEGIN CERTIFICATE-----\"; "
          + (isArchive
            ? "convert this PKCS #12 file with \"openssl pkcs12 -in FILE -nodes -out FILE.pem\""
            : "convert a DER file with \"openssl x509 -inform der -in FILE -out FILE.pem\""))
    case .broken(let location, let message):
      Diagnostic(.brokenPEM, "broken PEM: \(message)", at: location)
    case .undecodable(let location, let what):
      Diagnostic(.brokenPEM, "broken PEM: these bytes are not a \(what)", at: location)
    case .noKey, .keyMismatch, .keyEncrypted, .keyUnsupported, .keyWeak: keyDiagnostic
    }
  }

  private var keyDiagnostic: Diagnostic {
    switch self {
    case .noKey(let chain, let key):
      Diagnostic(
        .noKey, "no private key for the certificate \(chain)", at: .init(path: key ?? chain),
        help: key == nil ? nil : "a key begins with \"-----BEGIN PRIVATE KEY-----\"")
    case .keyMismatch(let chain, let key):
      Diagnostic(
        .keyMismatch,
        chain == key
          ? "the private key does not match any certificate in the file"
          : "the private key does not match any certificate in \(chain)",
        at: .init(path: key))
    case .keyEncrypted(let location, let isForSigning):
      Diagnostic(
        .keyEncrypted,
        "the private key is encrypted, and "
          + (isForSigning
            ? "aasa does not ask for a passphrase" : "a server cannot ask for a passphrase"),
        at: location,
        help: "decrypt the key: \"openssl pkey -in \(location.path) -out decrypted.key\", "
          + (isForSigning
            ? "and remove the decrypted file after signing"
            : "and let only the server read the decrypted file"))
    case .keyUnsupported(let location, let name):
      Diagnostic(.keyType, "the key type is not supported: \(name)", at: location)
    case .keyWeak(let location, let bits):
      Diagnostic(
        .keyTooShort, "the RSA key has \(bits) bits, fewer than \(TLSLimits.rsaKeyBits)",
        at: location, note: "Apple's devices refuse this key")
    default: diagnostic
    }
  }
}

// Diagnostics about faults that do not prevent the use of a certificate.
extension Diagnostic {
  static func expired(in path: String, since seconds: Int64) -> Diagnostic {
    Diagnostic(
      .certificateExpired, "the certificate expired on \(day(seconds))", at: .init(path: path),
      note: "devices and Apple's CDN refuse the certificate")
  }

  static func notYetValid(in path: String, from seconds: Int64) -> Diagnostic {
    Diagnostic(
      .certificateNotYetValid, "the certificate is not valid before \(day(seconds))",
      at: .init(path: path), note: "devices and Apple's CDN refuse the certificate")
  }

  static func expiresSoon(in path: String, at seconds: Int64, days: Int64) -> Diagnostic {
    let left = days == 0 ? "within a day" : "in " + days.counting("day")
    return Diagnostic(
      .certificateExpiresSoon, "the certificate expires \(left), on \(day(seconds))",
      at: .init(path: path))
  }

  /// - Parameter end: The last certificate of the chain.
  static func incomplete(in path: String, _ end: X509) -> Diagnostic {
    let issuer = "\"\(end.issuer)\""
    let message =
      "the issuer \(issuer) of \"\(end.subject)\" is not in the file and is not a root that this "
      + "system trusts"
    if end.isOfPublicAuthority {
      return Diagnostic(
        .chainIncomplete, "the chain is incomplete: " + message, at: .init(path: path),
        note: "clients that do not fetch intermediates themselves refuse the certificate")
    }
    return Diagnostic(
      .chainIncomplete, message, at: .init(path: path),
      help: "if \(issuer) is a root of your own, install it on the clients; if it is an "
        + "intermediate, append it to the file",
      note: "clients that do not have \(issuer) refuse the certificate")
  }

  static func expired(in path: String, authority: String, isNeeded: Bool) -> Diagnostic {
    Diagnostic(
      .chainExpired, "the certificate \"\(authority)\" of the chain has expired",
      at: .init(path: path),
      help: isNeeded
        ? "replace the expired certificate with the current intermediate"
        : "remove this certificate: no client needs it",
      note: isNeeded ? "clients refuse the chain" : "the chain is complete without this certificate"
    )
  }

  static func leafNotFirst(in path: String, subject: String, position: Int) -> Diagnostic {
    Diagnostic(
      .chainOrder,
      "the chain is in the wrong order: the server's certificate \"\(subject)\" is number "
        + "\(position) in the file",
      at: .init(path: path),
      note:
        "aasa serves the chain in the right order, but many programs read only the first certificate"
    )
  }

  static func wrongOrder(in path: String) -> Diagnostic {
    Diagnostic(
      .chainOrder,
      "the chain is in the wrong order: each certificate must be followed by its issuer",
      at: .init(path: path), note: "aasa serves the chain in the right order")
  }

  static func selfSigned(in path: String) -> Diagnostic {
    Diagnostic(
      .selfSigned, "the certificate is self-signed", at: .init(path: path),
      note: "devices refuse the certificate unless it is installed and trusted on them")
  }

  static func noNames(in path: String, subject: String) -> Diagnostic {
    Diagnostic(
      .noHostName,
      "the certificate \"\(subject)\" has no host name in subjectAltName", at: .init(path: path),
      note: "clients ignore the common name (RFC 9525 section 6.3)")
  }

  static func keyReadable(_ path: String, mode: UInt32) -> Diagnostic {
    Diagnostic(
      .keyReadableByAll,
      "every user of this machine can read the private key (mode \(String(mode & 0o7777, radix: 8)))",
      at: .init(path: path),
      help: "run \"chmod o-rwx \(path)\"; for a Kubernetes secret, set defaultMode to 0440")
  }

  static func refused(in path: String, reason: String) -> Diagnostic {
    Diagnostic(
      .certificateRefused, "OpenSSL refuses the certificate: \(reason)", at: .init(path: path))
  }
}

/// Returns the day in UTC, such as `2027-01-31`.
func day(_ seconds: Int64) -> String { CivilTime(seconds).date }

/// The kinds of faults of certificates and their keys.
extension Kind {
  static let noCertificate = Kind(
    "T001", "no-certificate", "a file contains no certificate in PEM",
    "nothing can be served or signed with this file", "RFC 7468",
    fix: "convert a DER file to PEM with openssl x509 -inform der -in FILE -out FILE.pem")
  static let brokenPEM = Kind(
    "T002", "broken-pem", "PEM text is cut off or altered, or does not contain what its label says",
    "the certificate or key cannot be read", "RFC 7468",
    fix: "copy the whole file again from its source")
  static let noKey = Kind(
    "T003", "no-key", "there is no private key for a certificate",
    "a certificate cannot be used without its private key", nil,
    fix:
      "put the key into the certificate's file, or into a file beside it with the same name and "
      + "the extension .key")
  static let keyMismatch = Kind(
    "T004", "key-mismatch", "a private key matches none of the certificates",
    "a handshake with this key and certificate would fail", nil,
    fix: "use the key with which the certificate was requested")
  static let keyEncrypted = Kind(
    "T005", "key-encrypted", "a private key is encrypted",
    "the server cannot ask for a passphrase when it starts or reloads", nil,
    fix: "decrypt the key with openssl pkey -in FILE -out decrypted.key, and let only the server "
      + "read the new file")
  static let keyType = Kind(
    "T006", "key-type", "a key is neither RSA nor ECDSA on P-256 or P-384",
    "devices cannot use this type of key", nil,
    fix: "request a certificate with an ECDSA key on P-256 or P-384, or an RSA key of 2048 bits")
  static let certificateExpired = Kind(
    "T007", "certificate-expired", "a certificate is no longer valid",
    "devices and Apple's CDN refuse the certificate",
    "Apple asks for a valid certificate (grade D)",
    fix: "renew the certificate; aasa serves an expired certificate only if no valid one covers "
      + "the name")
  static let certificateNotYetValid = Kind(
    "T008", "certificate-not-yet-valid", "a certificate is not valid yet",
    "devices and Apple's CDN refuse the certificate; often the machine's clock is wrong", nil,
    fix: "check this machine's clock; before the first day of validity, aasa serves the "
      + "certificate only if no valid certificate covers the name")
  static let certificateExpiresSoon = Kind(
    "T009", "certificate-expires-soon",
    "a certificate expires within the number of days set by certificateWarningDays",
    "the renewal of the certificate may have failed", nil, severity: .warning,
    fix: "renew the certificate; the new file is served without a restart")
  static let chainIncomplete = Kind(
    "T010", "chain-incomplete", "the issuer of a chain's last certificate is missing",
    "clients that do not fetch intermediates themselves refuse the certificate",
    "RFC 8446 section 4.4.2", severity: .warning,
    fix: "append the missing intermediate to the file, as in certbot's fullchain.pem")
  static let chainOrder = Kind(
    "T011", "chain-order",
    "the certificates of a chain are in the wrong order",
    "aasa serves the chain in the right order, but many programs read only a file's first "
      + "certificate",
    "RFC 8446 section 4.4.2", severity: .warning,
    fix: "put the server's certificate first, then its issuer, and so on")
  static let selfSigned = Kind(
    "T012", "self-signed", "a certificate is signed with its own key",
    "devices refuse the certificate unless it is installed and trusted on them",
    "Apple asks for a publicly trusted certificate (grade D)", severity: .note,
    fix: "use a certificate from a public authority if devices must fetch the file")
  static let noHostName = Kind(
    "T013", "no-host-name", "a certificate has no host name in subjectAltName",
    "clients ignore the common name", "RFC 9525 section 6.3",
    fix: "request a certificate with the host names in subjectAltName, as in \"openssl req "
      + "-addext subjectAltName=DNS:example.com\"")
  static let keyTooShort = Kind(
    "T014", "key-too-short", "an RSA key has fewer than 2048 bits",
    "Apple's devices refuse this key",
    "Apple's requirements for trusted certificates (grade D)",
    fix: "request a certificate with an ECDSA key on P-256, or an RSA key of 2048 bits")
  static let keyReadableByAll = Kind(
    "T015", "key-readable-by-all", "every user of the machine can read a private key",
    "anyone who has the key can impersonate the host", nil, severity: .warning,
    fix: "run chmod o-rwx FILE; for a Kubernetes secret, set defaultMode to 0440")
  static let certificateRefused = Kind(
    "T016", "certificate-refused", "OpenSSL refuses to use a certificate",
    "often the certificate is signed with SHA-1 or MD5, which clients refuse too", nil,
    fix: "request a new certificate that is signed with SHA-256")
  static let certificateFileTooLarge = Kind(
    "T017", "certificate-file-too-large",
    "a PEM file has more than 1 MiB or more than 32 certificates",
    "such a file is probably a list of roots, not a chain, and all its certificates would be sent "
      + "in every handshake", nil,
    fix: "the file should contain only the server's certificate, its intermediates and the key; "
      + "remove the roots")
  static let chainExpired = Kind(
    "T018", "chain-expired", "an issuer's certificate in the chain has expired",
    "clients need another path to a root, and refuse the chain if there is none",
    "RFC 5280 section 6.1.3", severity: .warning,
    fix:
      "put the current intermediate in its place, or remove it if the chain is complete without it")
}

/// All kinds of certificate faults.
package let chainKinds: [Kind] = [
  .noCertificate, .brokenPEM, .noKey, .keyMismatch, .keyEncrypted, .keyType, .certificateExpired,
  .certificateNotYetValid, .certificateExpiresSoon, .chainIncomplete, .chainOrder, .selfSigned,
  .noHostName, .keyTooShort, .keyReadableByAll, .certificateRefused, .certificateFileTooLarge,
  .chainExpired,
]
