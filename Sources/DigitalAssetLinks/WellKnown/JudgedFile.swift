package import Diagnostics
package import JSON
package import Rules

/// A well-known file that this program validates, except the association file and
/// `assetlinks.json`.
package enum JudgedFile: String, Sendable, CaseIterable {
  /// The file that lists the origins that may use the passkeys of this domain.
  case relatedOrigins = "webauthn"
  /// The file that lists the pages on which users create and manage passkeys.
  case endpoints = "passkey-endpoints"

  /// The kinds of the diagnostics about this file.
  package var kinds: [Kind] { content.rules.map(\.kind) }
  /// The beginnings of the file's top-level keys. A response that contains such a key is recognized
  /// as this file.
  package var beginnings: [String] { content.beginnings }
  /// Whether the presence of this file shows that its host has passkeys.
  package var isAboutPasskeys: Bool { content.isAboutPasskeys }
  /// What does not work if clients ignore the file, as a clause for messages.
  package var loss: String { content.loss }
  /// The name of the file's specification, as words for the beginning of a sentence.
  package var source: String { content.source }

  fileprivate var content:
    (
      rules: [WellKnownRule], beginnings: [String], isAboutPasskeys: Bool, loss: String,
      source: String
    )
  {
    switch self {
    case .relatedOrigins:
      (
        relatedOriginRules, ["origin"], true, "other sites cannot use the passkeys",
        "the Web Authentication specification"
      )
    case .endpoints:
      (
        endpointRules, ["enrol", "manage", "prf"], true,
        "password managers do not offer the pages to create and manage passkeys", "W3C's draft"
      )
    }
  }
}

/// The result of reading a well-known file: its value, or the reason why the file is not JSON.
package struct JudgedReading: Sendable {
  package let source: SourceText
  /// The top-level value; nil if the file is not JSON.
  package let root: Value?
  /// Why the file is not JSON; nil if it is JSON.
  package let fault: Diagnostic?
  private let file: JudgedFile

  /// Reads a file without checking any validation rule.
  package init(_ source: SourceText, as file: JudgedFile) {
    self.source = source
    self.file = file
    do throws(SyntaxError) {
      root = try Document(parsing: source).root
      fault = nil
    } catch {
      root = nil
      fault = error.diagnostic(in: source)
    }
  }

  /// Checks all validation rules for this file. If no rule reports an error, clients can use the
  /// file.
  ///
  /// - Parameters:
  ///   - ignored: The codes of rules to skip.
  ///   - limit: The maximum number of findings of each rule in the report.
  package func report(ignoring ignored: Set<String> = [], limit: Int = 50) -> ValidationReport {
    guard let root else {
      return ValidationReport(isReadable: false, diagnostics: [fault].compactMap(\.self))
    }
    return WellKnownRule.report(
      of: file.content.rules, on: root, in: source, ignoring: ignored, limit: limit)
  }
}
