internal import Diagnostics

/// The findings of rules in one file, before places are counted and the worst are chosen.
package struct Findings {
  struct Finding {
    let kind: Kind
    /// Nil for the whole file.
    let range: Range<Int>?
    let message: String
    let help: String?
    let note: String?
  }

  private(set) var all: [Finding] = []
  var hasErrors: Bool { all.contains { $0.kind.severity == .error } }
  /// The number of findings beyond `limit`.
  private(set) var omitted = 0
  /// The number of findings that are kept for each rule.
  private let limit: Int
  /// The rule that makes the findings, and how many it has made.
  private var rule: Kind?
  private var countOfRule = 0

  init(limit: Int) { self.limit = limit }

  mutating func run(_ rule: any ValidationRule, on file: FileUnderCheck) {
    self.rule = rule.documentation.kind
    countOfRule = 0
    rule.check(file, into: &self)
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
    guard let rule else { return }
    all.append(
      Finding(
        kind: rule, range: range(), message: message(),
        help: help(), note: note() ?? rule.note))
  }
}
