internal import Diagnostics
package import Posix

/// The limits for reading the files of apps. These files may be malformed or malicious.
enum AppFileLimits {
  /// The maximum size in bytes of an entitlements file, of an `app.json`, or of the entitlements in
  /// a signature.
  static let textBytes = 1_048_576
  /// The maximum size of a provisioning profile, in bytes. A profile lists every developer and
  /// every device of a team.
  static let profileBytes = 8 << 20
  /// The maximum nesting depth of the lists and dictionaries in a property list.
  static let depth = 32
  /// The maximum number of values in one property list, and of elements and attributes in one
  /// manifest. A binary property list may refer to the same value many times; each reference is
  /// counted as a value.
  static let values = 100_000
  /// The maximum size in bytes of all texts in a binary property list together. A text that is used
  /// several times is counted each time.
  static let listTextBytes = 16 << 20
  /// The maximum work for reading a property list: the number of its values and the bytes of its
  /// texts.
  static let list = Budget(operations: values, bytes: listTextBytes)
  /// The maximum work for reading an Android manifest: the number of its elements and attributes,
  /// and the bytes of all names and values. A name or value that is used several times is counted
  /// each time.
  static let manifest = Budget(operations: values, bytes: manifestBytes)
  /// The maximum size of an archive's central directory, in bytes. The directory contains about a
  /// hundred bytes for each file.
  static let directoryBytes = 32 << 20
  /// The maximum number of bytes that are unpacked from one archive. The app's whole executable
  /// must be unpacked, because the signature is at the end of the executable.
  static let unpackedBytes = 1 << 30
  /// The maximum number of App Clips in an app. Apple accepts only one App Clip in each app.
  static let clips = 10
  /// The maximum number of architectures of one executable.
  static let architectures = 16
  /// The maximum size of the load commands of one architecture, in bytes.
  static let commandBytes = 1_048_576
  /// The maximum size of a code signature, in bytes. Most of a signature consists of the hashes of
  /// all pages of the executable.
  static let signatureBytes = 64 << 20
  /// The maximum size of an Android package's binary manifest, in bytes.
  static let manifestBytes = 16 << 20
  /// The maximum length of a `pathAdvancedPattern` in UTF-16 code units. Android limits the number
  /// of its characters and modifiers to the same value.
  static let patternPieces = 2_045
  /// The maximum size of the signing block in an Android package, in bytes, including its padding.
  static let signingBlockBytes = 16 << 20
  /// The maximum number of signers of an Android package, added up over all signature schemes.
  /// Android accepts at most ten signers in scheme v2. In v3 and v3.1 it accepts one for each range of
  /// its versions, so this limit is ample.
  static let signers = 30
}

/// Why a file of an app could not be read.
package enum AppFileFault: Error, Equatable {
  /// The system reported an error.
  case system(SystemError)
  /// The content is broken, or it is not of an expected kind. The text is the message: one
  /// lower-case sentence without a full stop.
  case content(String)

  /// Returns the message with the file's path. `path` should be the path as the user wrote it.
  package func line(_ path: String) -> String {
    switch self {
    case .system(let error): "cannot read \(path): \(error.reason)"
    case .content(let message): "\(path): \(message)"
    }
  }
}
