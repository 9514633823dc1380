internal import Diagnostics

/// What rules found in one file, before places are counted and the worst are chosen.
package struct Findings {
  struct Finding {
    let code: String
    let severity: Diagnostic.Severity
    /// Nil when the whole file is meant.
    let range: Range<Int>?
    let message: String
    let help: String?
    let note: String?
  }

  private(set) var all: [Finding] = []
  var hasErrors: Bool { all.contains { $0.severity == .error } }
  /// What was found beyond `limit`.
  private(set) var omitted = 0
  /// How many are kept of each rule.
  private let limit: Int
  private var rule: any ValidationRule.Type
  private var countOfRule = 0

  init(limit: Int, first rule: any ValidationRule.Type) {
    self.limit = limit
    self.rule = rule
  }

  /// What is reported from now on is found by `rule`.
  mutating func begin(_ rule: any ValidationRule.Type) {
    self.rule = rule
    countOfRule = 0
  }

  /// Reports the smallest span that is wrong.
  ///
  /// - Parameters:
  ///   - message: one sentence in lower case without a full stop.
  ///   - help: how to fix it, with a correct example.
  ///   - note: instead of the rule's own, which tells consequence and source.
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
