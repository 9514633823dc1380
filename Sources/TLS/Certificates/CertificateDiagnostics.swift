internal import Bytes
internal import Diagnostics

// Diagnostics of certificates and keys. Codes are never reused.
extension Diagnostic {
  static func noCertificate(in source: SourceText, labels: [String]) -> Diagnostic {
    let found =
      labels.isEmpty
      ? (source.bytes.isEmpty ? "the file is empty" : "found no PEM block")
      : "found only \(labels.map { "\"\($0)\"" }.joined(separator: ", "))"
    // PKCS #12 (RFC 7292 section 4) is a sequence that begins with the number 3.
    let isArchive = source.bytes.first == 0x30 && source.bytes.dropFirst(4).starts(with: [2, 1, 3])
    return Diagnostic(
      .noCertificate, "no certificate in this file: \(found)", at: .init(path: source.path),
      help: "a certificate begins with \"-----BEGIN CERTIFICATE-----\"; "
        + (isArchive
          ? "convert this PKCS #12 file with \"openssl pkcs12 -in FILE -nodes -out FILE.pem\""
          : "convert a DER file with \"openssl x509 -inform der -in FILE -out FILE.pem\""))
  }

  static func broken(_ location: Location, _ message: String) -> Diagnostic {
    Diagnostic(
      .brokenPEM, "broken PEM: \(message)", at: location,
      help: "copy the whole file again from where it was issued")
  }

  /// Valid PEM with bytes that do not match its label.
  static func undecodable(_ location: Location, what: String) -> Diagnostic {
    Diagnostic(
      .brokenPEM, "broken PEM: these bytes are not a \(what)", at: location,
      help: "copy the whole file again from where it was issued")
  }

  static func noKey(chain: String, key: String?) -> Diagnostic {
    Diagnostic(
      .noKey, "no private key for the certificate \(chain)",
      at: .init(path: key ?? chain),
      help: key == nil
        ? "put the key beside it, under the same name with the ending .key, or into the same file"
        : "a key begins with \"-----BEGIN PRIVATE KEY-----\"")
  }

  static func keyMismatch(chain: String, key: String) -> Diagnostic {
    Diagnostic(
      .keyOfAnother,
      chain == key
        ? "the private key does not match any certificate in the file"
        : "the private key does not match any certificate in \(chain)",
      at: .init(path: key), help: "use the key with which the certificate was requested")
  }

  static func keyEncrypted(_ location: Location) -> Diagnostic {
    Diagnostic(
      .keyEncrypted,
      "the private key is encrypted, and a server cannot ask for a passphrase",
      at: location,
      help: "decrypt it: \"openssl pkey -in \(location.path) -out decrypted.key\", "
        + "readable by the server only")
  }

  static func keyUnsupported(_ location: Location, name: String) -> Diagnostic {
    Diagnostic(
      .keyType, "the key type is not supported: \(name)", at: location,
      help: "use ECDSA on P-256 or P-384, or RSA with 2048 bits or more")
  }

  static func keyWeak(_ location: Location, bits: Int) -> Diagnostic {
    Diagnostic(
      .keyTooShort, "the RSA key has \(bits) bits, fewer than \(Limits.rsaKeyBits)",
      at: location,
      help: "request a certificate with an ECDSA P-256 key, or RSA with 2048 bits",
      note: "Apple's devices refuse it")
  }

  static func expired(in path: String, since seconds: Int64) -> Diagnostic {
    Diagnostic(
      .certificateExpired, "the certificate expired on \(day(seconds))", at: .init(path: path),
      help: "renew it; until then it is served only where no valid one has the name",
      note: "devices and Apple's CDN refuse it")
  }

  static func notYetValid(in path: String, from seconds: Int64) -> Diagnostic {
    Diagnostic(
      .certificateNotYetValid, "the certificate is not valid before \(day(seconds))",
      at: .init(path: path),
      help: "check this machine's clock; until then it is served only where no valid one has the "
        + "name",
      note: "devices and Apple's CDN refuse it")
  }

  static func expiresSoon(in path: String, at seconds: Int64, days: Int64) -> Diagnostic {
    let left = days == 0 ? "within a day" : days == 1 ? "in 1 day" : "in \(days) days"
    return Diagnostic(
      .certificateExpiresSoon, "the certificate expires \(left), on \(day(seconds))",
      at: .init(path: path), help: "renew it; the new file is served without a restart")
  }

  static func incomplete(in path: String, last: String, issuer: String) -> Diagnostic {
    Diagnostic(
      .chainIncomplete,
      "the chain is incomplete: the issuer \"\(issuer)\" of \"\(last)\" is neither in the file nor "
        + "a root this system trusts",
      at: .init(path: path), help: "append the intermediate, as in certbot's fullchain.pem",
      note: "clients that do not fetch intermediates themselves refuse the certificate")
  }

  static func leafNotFirst(in path: String, subject: String, position: Int) -> Diagnostic {
    Diagnostic(
      .chainOrder,
      "the chain is in the wrong order: the server's certificate \"\(subject)\" is number "
        + "\(position) in the file",
      at: .init(path: path),
      help: "put it first, then its issuer, and so on",
      note: "it is served in the right order, but many programs read the first certificate only")
  }

  static func wrongOrder(in path: String) -> Diagnostic {
    Diagnostic(
      .chainOrder,
      "the chain is in the wrong order: after the server's certificate, its issuer does not follow",
      at: .init(path: path),
      help: "put each certificate's issuer after it", note: "it is served in the right order")
  }

  static func selfSigned(in path: String) -> Diagnostic {
    Diagnostic(
      .selfSigned, "the certificate is self-signed", at: .init(path: path),
      note: "devices refuse it unless it is installed and trusted on them")
  }

  static func noNames(in path: String, subject: String) -> Diagnostic {
    Diagnostic(
      .noHostName,
      "the certificate \"\(subject)\" has no host name in subjectAltName", at: .init(path: path),
      help: "request it with the names as subjectAltName, as in "
        + "\"openssl req -addext subjectAltName=DNS:example.com\"",
      note: "clients ignore the common name (RFC 9525 section 6.3)")
  }

  static func keyReadable(_ path: String, mode: UInt32) -> Diagnostic {
    Diagnostic(
      .keyReadableByAll,
      "every user of this machine can read the private key (mode \(String(mode & 0o7777, radix: 8)))",
      at: .init(path: path),
      help: "\"chmod o-rwx \(path)\"; for a Kubernetes secret set defaultMode to 0440")
  }

  static func refused(in path: String, reason: String) -> Diagnostic {
    Diagnostic(
      .certificateRefused, "OpenSSL refuses the certificate: \(reason)", at: .init(path: path),
      help: "request a new one, signed with SHA-256")
  }

  static func tooLarge(_ path: String) -> Diagnostic {
    Diagnostic(
      .certificateFileTooLarge,
      "the file has more than the \(Limits.pemFileBytes) bytes that a chain and a key may have",
      at: .init(path: path), help: "keep only the chain and the key in it")
  }

  static func tooMany(_ path: String, count: Int) -> Diagnostic {
    Diagnostic(
      .certificateFileTooLarge,
      "the file has \(count) certificates, more than the \(Limits.chainCertificates) a chain may have",
      at: .init(path: path),
      help:
        "keep only the server's certificate and its intermediates in it; is this a list of roots?")
  }
}

/// The day in UTC as `2027-01-31`.
func day(_ seconds: Int64) -> String { CivilTime(seconds).date }
