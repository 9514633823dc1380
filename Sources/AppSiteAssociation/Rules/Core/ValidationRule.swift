package import Diagnostics

/// A rule about association files: how to find a mistake, and how to explain it.
package protocol ValidationRule: Sendable {
  var documentation: RuleDocumentation { get }

  /// Reports every place where the file breaks the rule.
  func check(_ file: FileUnderCheck, into findings: inout Findings)
}

extension ValidationRule {
  package var code: String { documentation.code }
  package var severity: Diagnostic.Severity { documentation.severity }
}

/// The explanation of a rule.
package struct RuleDocumentation: Sendable {
  /// `A` and three digits, never used again for something else.
  package let code: String
  /// It follows the behaviour of devices: an error if the file is not read at all or a service is
  /// broken for all apps, a warning if something in it can never do what it says, a note for the
  /// rest. What works on devices is never an error.
  package let severity: Diagnostic.Severity
  /// Words joined by hyphens, as in a file name.
  package let name: String
  /// The mistake that the rule finds: one sentence without a full stop.
  package let what: String
  /// The consequence on devices: part of every diagnostic as its note.
  package let consequence: String
  package let grade: Grade
  package let wrong: RuleExample
  package let right: RuleExample

  init(
    _ code: String, _ severity: Diagnostic.Severity, _ name: String, what: String,
    consequence: String, grade: Grade, wrong: String, right: String,
    in context: RuleExample.Context
  ) {
    self.code = code
    self.severity = severity
    self.name = name
    self.what = what
    self.consequence = consequence
    self.grade = grade
    self.wrong = RuleExample(text: wrong, context: context)
    self.right = RuleExample(text: right, context: context)
  }

  /// The note of a diagnostic.
  package var note: String { consequence + (grade.words.map { "; " + $0 } ?? "") }

  /// The kind of evidence for a rule.
  package enum Grade: String, Sendable {
    /// Recorded runs of Apple's tool `swcutil` show it.
    case verified = "V"
    /// A document, technote or session of Apple says it.
    case documented = "D"
    /// Observed.
    case observed = "O"
    /// Neither documented nor recorded.
    case undocumented = "?"
    /// It follows from other facts, or is common sense.
    case reasoned = "-"

    /// Nil if there is nothing to cite.
    package var words: String? {
      switch self {
      case .verified: "recorded runs of Apple's swcutil show it"
      case .documented: "Apple's documentation says so"
      case .observed: "seen in the field"
      case .undocumented: "Apple does not say"
      case .reasoned: nil
      }
    }
  }
}

/// A piece of an association file, short enough to read, and its context.
package struct RuleExample: Sendable {
  /// The kind of piece.
  package enum Context: Sendable {
    case file
    /// Members of `applinks`.
    case applinks
    /// Members of an entry of `details`, including the app.
    case entry
    /// An app identifier in quotes.
    case identifier
    /// Elements of `components`.
    case components
    /// Elements of `paths`.
    case paths
  }

  package let text: String
  package let context: Context

  /// The whole file.
  package var file: String {
    let apps = #""appIDs": ["K27TX9P4QD.org.swift.shop"]"#
    switch context {
    case .file:
      return text + "\n"
    case .applinks:
      return "{\n  \"applinks\": {\n\(indented(4))\n  }\n}\n"
    case .entry:
      return "{\n  \"applinks\": {\n    \"details\": [\n      {\n\(indented(8))\n      }\n"
        + "    ]\n  }\n}\n"
    case .identifier:
      return "{\n  \"applinks\": {\n    \"details\": [\n      {\n        \"appIDs\": [\(text)],\n"
        + "        \"components\": [{ \"/\": \"/buy/*\" }]\n      }\n    ]\n  }\n}\n"
    case .components, .paths:
      let key = context == .paths ? "paths" : "components"
      return "{\n  \"applinks\": {\n    \"details\": [\n      {\n        \(apps),\n"
        + "        \"\(key)\": [\n\(indented(10))\n        ]\n      }\n    ]\n  }\n}\n"
    }
  }

  private func indented(_ count: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: count) + $0 }
      .joined(separator: "\n")
  }
}
