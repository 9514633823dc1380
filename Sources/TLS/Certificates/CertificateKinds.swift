package import Diagnostics

/// Certificates and their keys.
extension Kind {
  static let noCertificate = Kind(
    "T001", "no-certificate", "a file contains no certificate in PEM",
    "nothing can be served or signed with it", "RFC 7468",
    fix: "turn DER into PEM with openssl x509 -inform der -in FILE -out FILE.pem")
  static let brokenPEM = Kind(
    "T002", "broken-pem", "PEM text is cut off or altered, or does not contain what its label says",
    "the certificate or key cannot be read", "RFC 7468",
    fix: "copy the whole file again from where it was issued")
  static let noKey = Kind(
    "T003", "no-key", "there is no private key for a certificate",
    "without its key a certificate cannot be used", nil,
    fix: "put the key beside it, under the same name with the ending .key, or into the same file")
  static let keyOfAnother = Kind(
    "T004", "key-of-another", "a private key belongs to none of the certificates",
    "a handshake with them would fail", nil,
    fix: "use the key with which the certificate was requested")
  static let keyEncrypted = Kind(
    "T005", "key-encrypted", "a private key is encrypted",
    "nobody is there to enter a passphrase when the server starts or reloads", nil,
    fix: "decrypt it with openssl pkey -in FILE -out decrypted.key, readable by the server only")
  static let keyType = Kind(
    "T006", "key-type", "a key is neither RSA nor ECDSA on P-256 or P-384",
    "devices cannot use it", nil, fix: "request a certificate with an ECDSA P-256 key")
  static let certificateExpired = Kind(
    "T007", "certificate-expired", "a certificate is no longer valid",
    "devices and Apple's CDN refuse it; it is served only where no valid one has the name",
    "Apple asks for a valid certificate (grade D)", fix: "renew it")
  static let certificateNotYetValid = Kind(
    "T008", "certificate-not-yet-valid", "a certificate is not valid yet",
    "devices and Apple's CDN refuse it; often the machine's clock is wrong", nil,
    fix: "check the clock")
  static let certificateExpiresSoon = Kind(
    "T009", "certificate-expires-soon",
    "a certificate expires within the days of the setting certificateWarningDays",
    "its renewal may have failed", nil, severity: .warning,
    fix: "renew it; the new file is served without a restart")
  static let chainIncomplete = Kind(
    "T010", "chain-incomplete", "the issuer of a chain's last certificate is missing",
    "clients that do not fetch intermediates themselves refuse the certificate",
    "RFC 8446 section 4.4.2", severity: .warning,
    fix: "append the intermediate, as in certbot's fullchain.pem")
  static let chainOrder = Kind(
    "T011", "chain-order",
    "the certificates of a chain are not in the order of issuing",
    "it is served in the right order, but many programs read only the first certificate of a file",
    "RFC 8446 section 4.4.2", severity: .warning,
    fix: "put the server's certificate first, then its issuer, and so on")
  static let selfSigned = Kind(
    "T012", "self-signed", "a certificate is signed with its own key",
    "devices refuse it unless it is installed and trusted on them",
    "Apple asks for a publicly trusted certificate (grade D)", severity: .note,
    fix: "use a certificate of a public authority where devices are to fetch the file")
  static let noHostName = Kind(
    "T013", "no-host-name", "a certificate has no host name in subjectAltName",
    "clients ignore the common name", "RFC 9525 section 6.3",
    fix: "request it with openssl req -addext subjectAltName=DNS:example.com")
  static let keyTooShort = Kind(
    "T014", "key-too-short", "an RSA key has fewer than 2048 bits", "Apple's devices refuse it",
    "Apple's requirements for trusted certificates (grade D)",
    fix: "request a certificate with an ECDSA P-256 key, or RSA with 2048 bits")
  static let keyReadableByAll = Kind(
    "T015", "key-readable-by-all", "every user of the machine can read a private key",
    "whoever has the key can pretend to be the host", nil, severity: .warning,
    fix: "chmod o-rwx FILE; for a Kubernetes secret set defaultMode to 0440")
  static let certificateRefused = Kind(
    "T016", "certificate-refused", "OpenSSL refuses to use a certificate",
    "often it is signed with SHA-1 or MD5, which clients refuse too", nil,
    fix: "request a new one, signed with SHA-256")
  static let certificateFileTooLarge = Kind(
    "T017", "certificate-file-too-large",
    "a PEM file has more than 1 MiB or more than 32 certificates",
    "it is more likely a list of roots than a chain, and would be sent in every handshake", nil,
    fix: "keep only the server's certificate, its intermediates and the key in it")
}

/// All of them.
package let chainKinds: [Kind] = [
  .noCertificate, .brokenPEM, .noKey, .keyOfAnother, .keyEncrypted, .keyType, .certificateExpired,
  .certificateNotYetValid, .certificateExpiresSoon, .chainIncomplete, .chainOrder, .selfSigned,
  .noHostName, .keyTooShort, .keyReadableByAll, .certificateRefused, .certificateFileTooLarge,
]
