internal import Diagnostics
package import Posix

/// The limits for the files of apps, which can be malformed or malicious.
enum AppFileLimits {
  /// The maximum size of an entitlements file, an `app.json`, or a signature's entitlements, in
  /// bytes.
  static let textBytes = 1_048_576
  /// The maximum size of a provisioning profile, in bytes. A profile lists each developer and
  /// device.
  static let profileBytes = 8 << 20
  /// The maximum depth of nested lists and dictionaries.
  static let depth = 32
  /// The maximum number of values of one property list, and of elements and attributes of one
  /// manifest. A value counts each time it is used, because a binary list may use a value many
  /// times.
  static let values = 100_000
  /// The maximum size of all texts of a binary property list, in bytes; a text counts each time it
  /// is used.
  static let listTextBytes = 16 << 20
  /// The budget of a property list: its values and the bytes of its texts.
  static let list = Budget(operations: values, bytes: listTextBytes)
  /// The budget of an Android manifest: its elements and attributes, and the bytes of all names and
  /// values, which count each time they are used.
  static let manifest = Budget(operations: values, bytes: manifestBytes)
  /// The maximum size of an archive's directory, in bytes. Each file takes about a hundred bytes of
  /// the directory.
  static let directoryBytes = 32 << 20
  /// The maximum number of bytes unpacked from one archive. The whole executable is unpacked,
  /// because its signature is at its end.
  static let unpackedBytes = 1 << 30
  /// The maximum number of App Clips of an app. Apple accepts one.
  static let clips = 10
  /// The maximum number of architectures of one executable.
  static let architectures = 16
  /// The maximum size of the load commands of one architecture, in bytes.
  static let commandBytes = 1_048_576
  /// The maximum size of a code signature, in bytes. Most of a signature consists of hashes of all
  /// pages.
  static let signatureBytes = 64 << 20
  /// The maximum size of an Android package's binary manifest, in bytes.
  static let manifestBytes = 16 << 20
  /// The maximum number of characters and modifiers of a `pathAdvancedPattern`, as on Android.
  static let patternPieces = 2_045
  /// The maximum size of an Android package's signature, padding included, in bytes.
  static let signingBlockBytes = 16 << 20
  /// The maximum number of signers of an Android package. Android accepts ten in each of three
  /// schemes.
  static let signers = 30
}

/// The reason why an app's file could not be used.
package enum AppFileFault: Error, Equatable {
  /// The file cannot be read.
  case system(SystemError)
  /// The content is broken or of another kind. The text is the message: one lower-case sentence
  /// without a full stop.
  case content(String)

  /// The message, with the path as the user gave it.
  package func line(_ path: String) -> String {
    switch self {
    case .system(let error): "cannot read \(path): \(error.reason)"
    case .content(let message): "\(path): \(message)"
    }
  }
}
