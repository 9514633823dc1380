internal import Diagnostics
internal import JSON
internal import Rules

/// Why a file cannot be used as an association file.
public enum AssociationFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file is not JSON, its top level is not an object, or it exceeds the 131,072 bytes that
  /// Apple's devices accept. Line and column count from 1, and are nil for the file as a whole.
  case unreadable(message: String, line: Int?, column: Int?)
  /// The file is signed, as for iOS 8. Read the JSON that was signed instead.
  case signed
  /// The file's patterns and variables together are too large to compile.
  case patternsTooLarge

  public var description: String {
    switch self {
    case .unreadable(let message, let line?, let column?):
      "line \(line), column \(column): \(message)"
    case .unreadable(let message, _, _): message
    case .signed: "the file is signed: read the JSON that was signed"
    case .patternsTooLarge: "the patterns and variables are too large to be matched"
    }
  }
}

extension AssociationFile {
  /// Reads an association file, such as `apple-app-site-association` in an app's repository.
  ///
  /// A byte order mark is skipped. A file that breaks rules can still be read; see `validate()`.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: The file's name or path, for messages.
  /// - Throws: `AssociationFileError` if devices could read nothing in the file, if it is signed,
  ///   or if its patterns are too large to compile.
  public init(_ bytes: some Sequence<UInt8>, name: String) throws(AssociationFileError) {
    let file = AssociationFile(SourceText(path: name, bytes: Array(bytes)))
    if let fault = file.fault {
      let place = fault.location?.place
      throw .unreadable(message: fault.message, line: place?.line, column: place?.column)
    }
    guard let document = file.document else { throw .signed }
    do throws(PatternsTooLarge) {
      self.init(file, try AppleLinks(document))
    } catch {
      throw .patternsTooLarge
    }
  }

  /// The name passed to the initializer.
  public var name: String { text.path }
}
