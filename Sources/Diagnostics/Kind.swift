/// A kind of diagnostic, with its code, its usual severity, and the texts for `aasa explain`.
///
/// Each kind is declared next to the code that reports it. Kinds with equal codes are equal. Code
/// that depends on a kind compares kinds or reads a property of a kind. It never compares the text
/// of a code.
package final class Kind: Sendable, Hashable {
  /// The effect of the fault on the links of the checked domain.
  package enum Effect: Sendable {
    /// No device gets the file, or at least no device that uses Apple's CDN.
    case allDevices
    /// Devices that connect to one of the host's addresses do not get the file; other devices do.
    case someDevices
    /// Devices in developer mode do not get the file. These devices fetch the file from the server
    /// itself.
    case developerMode
    /// The file is served, but does not meet an expectation.
    case expectation
    /// Apple's CDN does not yet have the version of the file that the server has.
    case cdn
    /// The effect is unknown, because the network of this machine prevents the check.
    case unknown
    case none
  }

  /// The code, such as `J004`: a letter for the group of kinds, and three digits. Codes are never
  /// reused.
  package let code: String
  package let severity: Diagnostic.Severity
  package let effect: Effect
  /// The name: lower-case words joined by hyphens.
  package let name: String
  /// The fault that the kind reports, in one sentence.
  package let what: String
  package let consequence: String
  /// How to fix the fault; nil if the examples show how.
  package let fix: String?
  package let source: String?
  /// The kind of evidence for the consequence; nil if `source` already states the evidence.
  package let grade: Grade?
  package let wrong: String?
  package let right: String?
  /// The text that surrounds the examples in a file.
  package let context: ExampleContext

  package init(
    _ code: String, _ name: String, _ what: String, _ consequence: String,
    _ source: String? = nil, grade: Grade? = nil, severity: Diagnostic.Severity = .error,
    effect: Effect = .none, fix: String? = nil, wrong: String? = nil, right: String? = nil,
    in context: ExampleContext = .file
  ) {
    self.code = code
    self.severity = severity
    self.effect = effect
    self.name = name
    self.what = what
    self.consequence = consequence
    self.fix = fix
    self.source = source
    self.grade = grade
    self.wrong = wrong
    self.right = right
    self.context = context
  }

  package static func == (left: Kind, right: Kind) -> Bool { left.code == right.code }

  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// The consequence and its source, for diagnostics without their own note.
  package var note: String { consequence + (source.map { "; \($0)" } ?? "") }

  /// The output of `aasa explain`, wrapped at about 80 characters except in examples.
  package var page: String {
    var text = "\(code) \(name) (\(severity.rawValue))\n\n\(wrapped("What: " + what))\n"
    text += "\(wrapped("Why: " + consequence))\n"
    if let fix { text += wrapped("Fix: " + fix) + "\n" }
    if let source {
      let suffix = grade?.letter.map { " (grade \($0))" } ?? ""
      text += wrapped("Source: " + source + suffix) + "\n"
    }
    if let wrong { text += "\nWrong:\n\(indented(wrong))\n" }
    if let right { text += "\nRight:\n\(indented(right))\n" }
    return text
  }
}

/// The kind of evidence for a rule.
package enum Grade: Sendable {
  /// Recorded runs of Apple's tool `swcutil` show the consequence.
  case verified
  /// An Apple document, technote or session states the consequence.
  case documented
  /// The consequence was observed in the field.
  case observed
  /// The consequence is neither documented nor recorded.
  case undocumented
  /// The consequence follows from other facts or from common sense.
  case reasoned

  /// The letter of the grade; `Documentation/Checking.md` explains the letters. Nil for a grade
  /// without a letter.
  var letter: String? {
    switch self {
    case .verified: "V"
    case .documented: "D"
    case .observed: "O"
    case .undocumented, .reasoned: nil
    }
  }

  /// The grade in words, for the end of a note. Nil if the consequence needs no evidence.
  package var words: String? {
    switch self {
    case .verified: "recorded runs of Apple's swcutil show it"
    case .documented: "Apple's documentation says so"
    case .observed: "seen in the field"
    case .undocumented: "Apple does not document this"
    case .reasoned: nil
    }
  }
}

/// The text that surrounds an example in a file. The example itself shows only the relevant part of
/// the file.
package struct ExampleContext: Sendable {
  private let before: String
  /// The number of spaces before each line of the example.
  private let indentation: Int
  private let after: String

  package init(_ before: String, indentation: Int, _ after: String) {
    self.before = before
    self.indentation = indentation
    self.after = after
  }

  /// The context of an example that is a whole file.
  package static let file = ExampleContext("", indentation: 0, "\n")

  /// The whole file with the example inserted.
  package func file(with example: String) -> String {
    before
      + example.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: indentation) + $0 }
      .joined(separator: "\n") + after
  }
}

private func wrapped(_ text: String) -> String { text.broken(at: 80, from: 0, margin: 0) }

private func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
    .joined(separator: "\n")
}
