internal import Diagnostics
internal import JSON
internal import Rules

/// Why a file cannot be used as an association file.
public enum AssociationFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file is not JSON, its top level is not an object, or the file exceeds the 131,072 bytes
  /// that Apple's devices accept. Line and column are counted from 1. Both are nil if the fault
  /// concerns the whole file.
  case unreadable(message: String, line: Int?, column: Int?)
  /// The file is signed, as for iOS 8. Read the JSON file from which the signed file was made.
  case signed
  /// The file's patterns and variables together are too large to compile.
  case patternsTooLarge

  /// The message. If the line and column are known, the message includes them.
  public var description: String {
    switch self {
    case .unreadable(let message, let line?, let column?):
      "line \(line), column \(column): \(message)"
    case .unreadable(let message, _, _): message
    case .signed: "the file is signed; read the unsigned JSON instead"
    case .patternsTooLarge: "the patterns and variables are too large to be matched"
    }
  }
}

extension AssociationFile {
  /// Reads an association file, such as `apple-app-site-association` in an app's repository.
  ///
  /// A byte order mark is skipped. A file that breaks rules can still be read; see `validate()`.
  ///
  /// Source: Apple, “Supporting associated domains”. This page documents the size limit and the
  /// form of the file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: The file's name or path, for messages.
  /// - Throws: `AssociationFileError` if devices could read no part of the file, if the file is
  ///   signed, or if the file's patterns are too large to compile.
  public init(_ bytes: some Sequence<UInt8>, name: String) throws(AssociationFileError) {
    var file = AssociationFile(SourceText(path: name, bytes: Array(bytes)))
    if let fault = file.fault {
      let place = fault.location?.place
      throw .unreadable(message: fault.message, line: place?.line, column: place?.column)
    }
    guard let document = file.document else { throw .signed }
    do throws(PatternsTooLarge) {
      file.links = try AppleLinks(document)
    } catch {
      throw .patternsTooLarge
    }
    self = file
  }

  /// The name passed to the initializer.
  public var name: String { text.path }
}

/// The decision of an association file about a link for an app.
///
/// Source: Apple, “Supporting associated domains” and “Defining universal links”.
public enum Decision: String, Sendable, Hashable, CaseIterable {
  /// The file permits the link to open the app.
  case opens
  /// A rule excludes the link. The link stays in the browser, and no later rule of the app applies.
  case blocked
  /// No rule matches, no entry lists the app, or the text is not a URL: the link stays in the
  /// browser.
  case browser

  init(_ outcome: LinkOutcome) {
    switch outcome {
    case .opens: self = .opens
    case .blocked: self = .blocked
    case .browser: self = .browser
    }
  }
}

/// The reason for a file's decision about a link for an app.
public struct DecisionExplanation: Sendable, Equatable {
  /// The file's decision about the link.
  public let decision: Decision
  /// The reason: one sentence that starts in lower case and has no full stop, such as: path matched
  /// `/buy/*`.
  public let reason: String
  /// The index in `details` of the first entry that lists the app. Devices use only this entry. Nil
  /// if no entry lists the app.
  public let entry: Int?
  /// The deciding rule as written in the file, on one line; nil if no rule matches.
  public let rule: String?
  /// The line of the deciding rule, counted from 1; nil if no rule matches.
  public let line: Int?
  /// The column of the deciding rule, counted from 1 in Unicode scalars; nil if no rule matches.
  public let column: Int?
}

extension AssociationFile {
  /// Returns the file's decision about a link for an app. Entries that do not list the app have no
  /// effect.
  ///
  /// Source: Apple, “Supporting associated domains”: the first rule that matches decides.
  ///
  /// - Parameters:
  ///   - url: A link such as `https://example.com/buy/42`. Its host is ignored: the result assumes
  ///     that this host serves the file.
  ///   - app: An app identifier: prefix, dot, bundle identifier.
  /// - Returns: `.browser` if the file does not list the app, no rule matches, or the text is not a
  ///   URL.
  public func decision(for url: String, app: String) -> Decision {
    Decision(decided(url, app).outcome)
  }

  /// Explains a decision: the reason, the app's entry and the deciding rule.
  ///
  /// Source: Apple, “Supporting associated domains”.
  ///
  /// - Parameters:
  ///   - url: A link, as in `decision(for:app:)`.
  ///   - app: An app identifier, as in `decision(for:app:)`.
  public func explanation(for url: String, app: String) -> DecisionExplanation {
    let decided = decided(url, app)
    let range = decided.rule?.range
    let place = range.map { text.place(of: $0) }
    var reason = decided.reason
    if range != nil {
      reason = (try? links?.trials(of: url, app: app).last?.sentence) ?? "a rule matches"
    }
    return DecisionExplanation(
      decision: Decision(decided.outcome), reason: reason, entry: links?.entry(of: app),
      rule: range.map { text.excerpt(of: $0) }, line: place?.line, column: place?.column)
  }

  private func decided(_ url: String, _ app: String) -> LinkDecision {
    links?.decide(url, for: [app]).first
      ?? LinkDecision(.browser, reason: NoMatchReason.unknownApp.words)
  }
}

/// A fault of an association file.
public struct FileFinding: Sendable, Equatable {
  /// A letter and three digits, such as `A044`. Codes are never reused. `aasa explain A044` prints
  /// the page of this code.
  public let code: String
  /// The message: one sentence that starts in lower case and has no full stop.
  public let message: String
  /// The line of the fault, counted from 1; nil if the fault concerns the whole file.
  public let line: Int?
  /// The column of the fault, counted from 1 in Unicode scalars; nil if the fault concerns the
  /// whole file.
  public let column: Int?
  /// How to fix the fault.
  public let help: String?
  /// What devices do because of the fault, and what evidence there is for this statement.
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

/// The faults that the validation rules find in a file, in the order of the file.
public struct FileValidation: Sendable, Equatable {
  /// Faults that break a service for all apps, or because of which the file permits nothing.
  public let errors: [FileFinding]
  /// Faults that prevent a part of the file from having the effect that it describes.
  public let warnings: [FileFinding]
}

extension AssociationFile {
  /// Checks the file with all validation rules. A part of the file that works on devices is never
  /// reported as an error.
  ///
  /// Source: the page of each rule, which `aasa explain CODE` prints. The page separates what Apple
  /// documents from what was only observed.
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
  /// A code from `D001` to `D007`. `aasa explain CODE` prints the page of the code.
  public let code: String
  /// The kind of change: one sentence that starts in lower case and has no full stop.
  public let summary: String
  /// The app that the change concerns: prefix, dot, bundle identifier.
  public let app: String
  /// One of the shortest affected links, without scheme and host. Nil if the change does not
  /// concern links.
  public let example: String?
}

extension AssociationFile {
  /// Returns the changes for users when this file replaces an older file: added and removed apps,
  /// and links with a new decision. Two files that make the same decisions have no differences,
  /// even if their texts differ.
  public func differences(from old: AssociationFile) -> [FileDifference] {
    guard let document, let before = old.document else { return [] }
    return AppSiteAssociation.differences(
      old: Association(before.root), new: Association(document.root)
    ).map { difference in
      FileDifference(
        code: difference.kind.code, summary: difference.kind.what, app: difference.app,
        example: difference.example)
    }
  }
}
