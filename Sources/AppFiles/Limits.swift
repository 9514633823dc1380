/// Every bound on what is read of files that somebody else made.
package enum AppFileLimits {
  /// Bytes of an entitlements file, an `app.json`, or the entitlements of a signature.
  package static let textBytes = 1_048_576
  /// Bytes of a provisioning profile: it has a certificate for each developer, and each device.
  package static let profileBytes = 8 << 20
  /// Lists and dictionaries within each other.
  package static let depth = 32
  /// Values of one property list, each counted as often as it is used: a binary list may use one
  /// many times.
  package static let values = 100_000
  /// Bytes of an archive's directory: about a hundred for each file.
  package static let directoryBytes = 32 << 20
  /// Bytes that are unpacked of one executable to reach its signature, which is at its end.
  package static let executableBytes: Int64 = 1 << 30
  /// Architectures of one executable.
  package static let architectures = 16
  /// Load commands of one architecture, in bytes.
  package static let commandBytes = 1_048_576
  /// Bytes of a code signature, of which the hashes of all pages are the most.
  package static let signatureBytes = 64 << 20
}
