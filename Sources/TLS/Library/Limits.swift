/// Every bound this module puts on what others send or write, and every choice of duration.
package enum Limits {
  /// The longest server name taken from a client, in bytes: a host name has at most 253 (RFC 1035
  /// section 3.1, less the length octets), OpenSSL itself stops at 255.
  package static let serverNameBytes = 253

  /// Bytes of a record that is not encrypted, without its header (RFC 8446 section 5.1).
  static let plainRecordBytes = 16_384

  /// Certificates in one file. Public chains have two or three.
  package static let chainCertificates = 32

  /// Certificates kept decoded, each some kilobytes: those that were used last.
  static let usableCertificates = 1024

  /// Different chains of intermediates in which an equal one is looked for.
  static let sharedIntermediates = 256

  /// Issuers of whom is remembered, during a loading, whether they are trusted.
  static let rememberedIssuers = 256

  /// Bytes of one PEM file. A chain of 32 large certificates is far below.
  package static let pemFileBytes = 1_048_576

  /// The smallest RSA key, in bits: Apple's devices refuse smaller ones, and so does OpenSSL at
  /// security level 2.
  package static let rsaKeyBits = 2048

  /// Names put into a certificate made by `selfSigned`. OpenSSL clients read at most 100 KiB of
  /// certificates; 100 names of the greatest length are a quarter of that.
  package static let selfSignedNames = 100

  /// Days a certificate made by `selfSigned` lasts. Apple's devices refuse more than 398.
  package static let selfSignedDays = 397

  /// Seconds a session ticket is good for. It bounds how long a stolen ticket key is of use for
  /// what was recorded before.
  package static let ticketLifetime = 12 * 60 * 60

  /// Sets of ticket keys that still decrypt besides the current one. With a rotation every
  /// `ticketLifetime`, a ticket is good until its own lifetime ends.
  package static let previousTicketKeys = 1

  /// Bytes of early data that are skipped, those of its encryption not counted: what OpenSSL and
  /// nginx allow by default.
  package static let skippedEarlyData: UInt32 = 16_384

  /// Bytes of a signed file's content: as many as Apple takes of an association file.
  package static let signedContentBytes = 131_072

  /// Bytes of a signed file: its content, the certificates and the signatures.
  package static let signedFileBytes = 1_048_576

  /// Signatures in one signed file. Each costs a public-key operation and a search for a chain.
  package static let signers = 16
}
