internal import Diagnostics
internal import JSON
internal import Rules

/// A fault of an association file.
public struct FileFinding: Sendable, Equatable {
  /// A letter and three digits, such as `A044`. A code is never used again for something else;
  /// `aasa explain A044` prints its page.
  public let code: String
  /// One sentence that starts in lower case and has no full stop.
  public let message: String
  /// Counted from 1; nil for the file as a whole.
  public let line: Int?
  /// Counted from 1, in Unicode scalars; nil for the file as a whole.
  public let column: Int?
  /// How to fix it.
  public let help: String?
  /// What devices do, and how that is known.
  public let note: String?

  init(_ diagnostic: Diagnostic) {
    let place = diagnostic.location?.place
    code = diagnostic.code
    message = diagnostic.message
    line = place?.line
    column = place?.column
    help = diagnostic.help
    note = diagnostic.note
  }
}

/// What all rules find in a file, in the order of the file.
public struct FileValidation: Sendable, Equatable {
  /// A service is broken for all apps, or the file permits nothing.
  public let errors: [FileFinding]
  /// Something in the file can never do what it says.
  public let warnings: [FileFinding]
}

extension AssociationFile {
  /// Runs all rules. What works on devices is never an error.
  public func validate() -> FileValidation {
    var options = ValidationOptions()
    options.includesNotes = false
    let found = report(options).diagnostics
    return FileValidation(
      errors: found.filter { $0.severity == .error }.map(FileFinding.init),
      warnings: found.filter { $0.severity == .warning }.map(FileFinding.init))
  }
}

/// A change for users when one file replaces another.
public struct FileDifference: Sendable, Equatable {
  /// `D001` to `D007`: `aasa explain` prints their pages.
  public let code: String
  /// The change in general: one sentence that starts in lower case and has no full stop.
  public let summary: String
  public let app: String
  /// A shortest link that is decided otherwise, from its path on; nil if the change is not about
  /// single links.
  public let example: String?
}

extension AssociationFile {
  /// The changes for users when this file replaces an older one: apps, and links that are decided
  /// otherwise. Files that decide alike differ in nothing, however they are written.
  public func differences(from old: AssociationFile) -> [FileDifference] {
    guard let document, let before = old.document else { return [] }
    return AppSiteAssociation.differences(
      old: Association(before.root), new: Association(document.root)
    ).map { difference in
      FileDifference(
        code: difference.kind.code, summary: difference.kind.what, app: difference.app,
        example: difference.example?.reference)
    }
  }
}

extension Difference {
  fileprivate var example: ExampleURL? {
    switch self {
    case .appAdded(_, _, let change), .appRemoved(_, _, let change): change?.example
    case .decision(_, let change): change.example
    case .order(_, _, let example): example
    case .unknown: nil
    }
  }
}
