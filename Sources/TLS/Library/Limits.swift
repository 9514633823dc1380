/// All limits and durations of this module.
package enum Limits {
  /// The number of names that clients asked for without success that are kept until they are read.
  static let refusedNames = 64

  /// The longest server name that is accepted, in bytes: a host name has at most 253 (RFC 1035
  /// section 3.1, less the length octets); OpenSSL itself stops at 255.
  package static let serverNameBytes = 253

  /// Bytes of an unencrypted record, without its header (RFC 8446 section 5.1).
  static let plainRecordBytes = 16_384

  /// Certificates in one file. Public chains have two or three.
  package static let chainCertificates = 32

  /// The number of recently used certificates that are kept decoded, each some kilobytes.
  static let usableCertificates = 1024

  /// The number of different chains of intermediates that are kept for sharing.
  static let sharedIntermediates = 256

  /// The number of issuers that are kept during a loading with whether they are trusted.
  static let rememberedIssuers = 256

  /// Bytes of one PEM file. A chain of 32 large certificates is far smaller.
  package static let pemFileBytes = 1_048_576

  /// The smallest RSA key, in bits: Apple's devices refuse smaller ones, and so does OpenSSL at
  /// security level 2.
  package static let rsaKeyBits = 2048

  /// The number of names in a certificate made by `selfSigned`. OpenSSL clients read at most 100
  /// KiB of certificates; 100 names of the greatest length are a quarter of that.
  package static let selfSignedNames = 100

  /// The lifetime in days of a certificate made by `selfSigned`. Apple's devices refuse more than
  /// 398.
  package static let selfSignedDays = 397

  /// The lifetime of a session ticket in seconds. It limits how long a stolen ticket key can
  /// decrypt recorded sessions.
  package static let ticketLifetime = 12 * 60 * 60

  /// The number of previous ticket keys that still decrypt. With a rotation every `ticketLifetime`,
  /// a ticket is accepted until its own lifetime ends.
  package static let previousTicketKeys = 1

  /// Bytes of early data that are skipped, without those of its encryption; the default limit of
  /// OpenSSL and nginx.
  package static let skippedEarlyData: UInt32 = 16_384

  /// Bytes of a handshake that a client may send: many times a ClientHello with keys that resist
  /// quantum computers, and early data that is skipped. OpenSSL alone would keep a ClientHello of
  /// 131 KB.
  static let handshakeBytes: UInt64 = 24_576

  /// Bytes of a signed file's content: Apple's limit for an association file.
  package static let signedContentBytes = 131_072

  /// Bytes of a signed file: its content, certificates and signatures.
  package static let signedFileBytes = 1_048_576

  /// The number of signatures in one signed file. Each costs a public-key operation and a search
  /// for a chain.
  package static let signers = 16
}
