/// A kind of diagnostic: its code, its usual severity, and what `aasa explain` says about it. It is
/// declared beside the code that reports it.
package struct DiagnosticKind: Sendable {
  /// A letter for the group and three digits, such as `J004`. Never reused for another meaning.
  package let code: String
  package let severity: Diagnostic.Severity
  /// Lower-case words joined by hyphens.
  package let name: String
  /// One sentence.
  package let what: String
  package let consequence: String
  /// The fix, if there is no example for it.
  package let fix: String?
  package let source: String?
  package let wrong: String?
  package let right: String?

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

  /// The output of `aasa explain`, in lines of at most about 80 characters except in examples.
  package var page: String {
    var text = "\(code) \(name) (\(severity.rawValue))\n\n\(wrapped("What: " + what))\n"
    text += "\(wrapped("Why: " + consequence))\n"
    if let fix { text += wrapped("Fix: " + fix) + "\n" }
    if let source { text += wrapped("Source: " + source) + "\n" }
    if let wrong { text += "\nWrong:\n\(indented(wrong))\n" }
    if let right { text += "\nRight:\n\(indented(right))\n" }
    return text
  }
}

extension Diagnostic {
  /// - Parameter severity: The kind's own unless given.
  package init(
    _ kind: DiagnosticKind, severity: Severity? = nil, _ message: String,
    at location: Location? = nil, help: String? = nil, note: String? = nil
  ) {
    self.init(
      severity ?? kind.severity, code: kind.code, message, at: location, help: help, note: note)
  }

  package func isOf(_ kinds: DiagnosticKind...) -> Bool { kinds.contains { $0.code == code } }
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
