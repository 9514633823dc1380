/// The limits for files that come from elsewhere.
package enum AppFileLimits {
  /// Bytes of an entitlements file, an `app.json`, or the entitlements of a signature.
  package static let textBytes = 1_048_576
  /// Bytes of a provisioning profile: it has a certificate for each developer, and each device.
  package static let profileBytes = 8 << 20
  /// The depth of nested lists and dictionaries.
  package static let depth = 32
  /// Values of one property list, each counted once for each use: a binary list may use one
  /// many times.
  package static let values = 100_000
  /// Bytes of all texts of a binary property list, each counted once for each use.
  static let listTextBytes = 16 << 20
  /// Bytes of an archive's directory: about a hundred for each file.
  package static let directoryBytes = 32 << 20
  /// Unpacked bytes of one executable up to its signature, which is at its end.
  package static let executableBytes: Int64 = 1 << 30
  /// Architectures of one executable.
  package static let architectures = 16
  /// Load commands of one architecture, in bytes.
  package static let commandBytes = 1_048_576
  /// Bytes of a code signature. Most of them are the hashes of all pages.
  package static let signatureBytes = 64 << 20
  /// Bytes of the binary manifest of an Android package, and of all its names and values.
  static let manifestBytes = 16 << 20
  /// Characters and modifiers of a `pathAdvancedPattern`: Android reads no more.
  static let patternPieces = 2_045
  /// Bytes of the signature of an Android package, padding included.
  static let signingBlockBytes = 16 << 20
  /// Signers of an Android package: Android takes ten, in each of three schemes.
  static let signers = 30
}
