/// All limits and durations of this module.
package enum TLSLimits {
  /// The maximum number of names that `ChallengeCertificates` stores until `takeRefused` is called.
  static let refusedNames = 64

  /// The maximum length of a server name in bytes. The text of a host name has at most 253 bytes
  /// (RFC 1035 section 3.1). OpenSSL itself accepts up to 255.
  static let serverNameBytes = 253

  /// The maximum number of bytes in an unencrypted record, without its header (RFC 8446 section
  /// 5.1).
  static let plainRecordBytes = 16_384

  /// The maximum number of certificates in one file. Public chains have two or three.
  static let chainCertificates = 32

  /// The number of recently used certificates to keep decoded. Each decoded certificate takes
  /// several kilobytes.
  static let usableCertificates = 1024

  /// The maximum number of distinct chains of intermediates whose memory is shared, and of decoded
  /// intermediates that are shared.
  static let sharedIntermediates = 256

  /// The maximum number of issuers to remember while certificates are loaded.
  static let rememberedIssuers = 256

  /// The maximum size of a PEM file in bytes. A chain of 32 large certificates is far smaller.
  package static let pemFileBytes = 1_048_576

  /// The minimum size of an RSA key in bits. Apple's devices refuse smaller keys, as does OpenSSL
  /// at security level 2.
  static let rsaKeyBits = 2048

  /// The maximum number of names in a certificate made by `selfSigned`. OpenSSL clients read at
  /// most 100 KiB of certificates; 100 names of the maximum length take a quarter of that.
  static let selfSignedNames = 100

  /// The lifetime in days of a certificate made by `selfSigned`. Apple's devices refuse a
  /// certificate with a lifetime of more than 398 days.
  static let selfSignedDays = 397

  /// The lifetime of a session ticket in seconds. It limits how long a stolen ticket key can
  /// decrypt recorded sessions.
  static let ticketLifetime = 12 * 60 * 60

  /// The number of previous ticket keys that can still decrypt tickets. If keys are rotated every
  /// `ticketLifetime`, one previous key is enough to accept a ticket for its whole lifetime.
  static let previousTicketKeys = 1

  /// The maximum number of bytes of early data to skip, without the encryption overhead. This is
  /// the default of OpenSSL and nginx.
  static let skippedEarlyData: UInt32 = 16_384

  /// The maximum number of bytes that a client may send in a handshake: several times the size of a
  /// ClientHello with post-quantum keys, plus early data to skip. OpenSSL itself would accept a
  /// ClientHello of 131 KB.
  static let handshakeBytes: UInt64 = 24_576

  /// The maximum size of a signed file's content in bytes: Apple's limit for an association file.
  static let signedContentBytes = 131_072

  /// The maximum size of a signed file in bytes, including its content, certificates and
  /// signatures.
  static let signedFileBytes = 1_048_576

  /// The maximum number of signatures in one signed file. Verifying each signature takes a
  /// public-key operation and a search for a chain.
  package static let signers = 16
}
