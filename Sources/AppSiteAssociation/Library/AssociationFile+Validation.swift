internal import Diagnostics
internal import JSON
internal import Rules

/// A fault of an association file.
public struct FileFinding: Sendable, Equatable {
  /// A letter and three digits, such as `A044`. Codes are never reused; `aasa explain A044` prints
  /// the page for this one.
  public let code: String
  /// The message: one sentence that starts in lower case and has no full stop.
  public let message: String
  /// The line, counted from 1; nil for the file as a whole.
  public let line: Int?
  /// The column, counted from 1 in Unicode scalars; nil for the file as a whole.
  public let column: Int?
  /// How to fix the fault.
  public let help: String?
  /// What devices do, and the evidence for it.
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

/// The findings of all rules in a file, in the order of the file.
public struct FileValidation: Sendable, Equatable {
  /// Faults that break a service for all apps, or a file that permits nothing.
  public let errors: [FileFinding]
  /// Parts of the file that can never have the effect they describe.
  public let warnings: [FileFinding]
}

extension AssociationFile {
  /// Runs all rules. Nothing that works on devices is an error.
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
  /// A code from `D001` to `D007`; `aasa explain` prints its page.
  public let code: String
  /// The kind of change: one sentence that starts in lower case and has no full stop.
  public let summary: String
  public let app: String
  /// A shortest affected link, from its path on; nil if the change is not about links.
  public let example: String?
}

extension AssociationFile {
  /// Returns what changes for users when this file replaces an older one: apps, and links with a
  /// new decision. Files that decide alike have no differences, however they are written.
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
