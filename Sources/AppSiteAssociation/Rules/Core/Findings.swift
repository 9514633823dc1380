internal import Diagnostics

/// The findings of rules in one file, before places are counted and the worst are chosen.
package struct Findings {
  struct Finding {
    let code: String
    let severity: Diagnostic.Severity
    /// Nil for the whole file.
    let range: Range<Int>?
    let message: String
    let help: String?
    let note: String?
  }

  private(set) var all: [Finding] = []
  var hasErrors: Bool { all.contains { $0.severity == .error } }
  /// The number of findings beyond `limit`.
  private(set) var omitted = 0
  /// The number of findings that are kept for each rule.
  private let limit: Int
  private var rule: any ValidationRule
  private var countOfRule = 0

  init(limit: Int, first rule: any ValidationRule) {
    self.limit = limit
    self.rule = rule
  }

  /// Notes that `rule` makes the following findings.
  mutating func begin(_ rule: any ValidationRule) {
    self.rule = rule
    countOfRule = 0
  }

  /// Reports the smallest span with the fault.
  ///
  /// - Parameters:
  ///   - message: One sentence in lower case without a full stop.
  ///   - help: How to fix it, with a correct example.
  ///   - note: Replaces the rule's own note, which has the consequence and the source.
  package mutating func report(
    _ range: @autoclosure () -> Range<Int>?, _ message: @autoclosure () -> String,
    help: @autoclosure () -> String?, note: @autoclosure () -> String? = nil
  ) {
    countOfRule += 1
    guard countOfRule <= limit else {
      omitted += 1
      return
    }
    all.append(
      Finding(
        code: rule.code, severity: rule.severity, range: range(), message: message(),
        help: help(), note: note() ?? rule.documentation.note))
  }
}
