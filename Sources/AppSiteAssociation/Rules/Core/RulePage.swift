package import Diagnostics
internal import JSON

/// The output of `aasa explain` for one code.
package struct RulePage: Sendable {
  package let code: String
  package let severity: Diagnostic.Severity
  package let name: String
  /// One sentence.
  package let what: String
  package let consequence: String
  /// The fix, if there is no example for it.
  package let fix: String?
  package let source: String?
  package let wrong: String?
  package let right: String?

  /// The pages of all codes of association files, in order.
  package static let all: [RulePage] = {
    let rules = RuleTable.all.map(RulePage.init)
    return (rules + formPages + SyntaxError.Kind.allCases.map(RulePage.init))
      .sorted { $0.code < $1.code }
  }()

  package static func page(of code: String) -> RulePage? { all.first { $0.code == code } }

  /// The page as text, lines of at most about 80 characters except in examples.
  package var text: String {
    var text = "\(code) \(name) (\(severity.rawValue))\n\n\(wrapped("What: " + what))\n"
    text += "\(wrapped("Why: " + consequence))\n"
    if let fix { text += wrapped("Fix: " + fix) + "\n" }
    if let source { text += wrapped("Source: " + source) + "\n" }
    if let wrong { text += "\nWrong:\n\(indented(wrong))\n" }
    if let right { text += "\nRight:\n\(indented(right))\n" }
    return text
  }

  init(_ rule: any ValidationRule) {
    let documentation = rule.documentation
    code = rule.code
    severity = rule.severity
    name = rule.name
    what = documentation.what
    consequence = documentation.consequence
    fix = nil
    let grade = documentation.grade
    source = grade.words.map { "\($0) (grade \(grade.rawValue))" }
    let hasExample = documentation.wrong.text != documentation.right.text
    wrong = hasExample ? documentation.wrong.text : nil
    right = hasExample ? documentation.right.text : nil
  }

  package init(
    _ code: String, _ name: String, _ what: String, _ consequence: String, _ source: String?,
    severity: Diagnostic.Severity = .error, fix: String? = nil, wrong: String? = nil,
    right: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.name = name
    self.what = what
    self.consequence = consequence
    self.fix = fix
    self.source = source
    self.wrong = wrong
    self.right = right
  }
}

private func wrapped(_ text: String) -> String {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty && line.count + word.count >= 80 {
      lines.append(line)
      line = ""
    }
    line += line.isEmpty ? String(word) : " " + word
  }
  return (lines + [line]).joined(separator: "\n")
}

private func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
    .joined(separator: "\n")
}
