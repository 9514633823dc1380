internal import AppSiteAssociation
package import Diagnostics
internal import JSON

/// A fault in files of one kind: how to find it, and what to report.
///
/// Severity follows what devices do, as for association files: an error when a statement or a file
/// can never hold, a warning when something in it has no effect, a note for the rest.
package struct FileRule<Content>: Sendable {
  /// `aasa explain` prints it. Its examples are whole files: the wrong one breaks this rule, the
  /// right one breaks none.
  package let kind: Kind
  let check: @Sendable (Content, inout RuleFindings) -> Void

  init(
    _ code: String, _ name: String, _ severity: Diagnostic.Severity, _ what: String,
    _ consequence: String, source: String?, wrong: String, right: String,
    check: @escaping @Sendable (Content, inout RuleFindings) -> Void
  ) {
    kind = Kind(
      code, name, what, consequence, source, severity: severity, wrong: wrong, right: right)
    self.check = check
  }
}

package typealias StatementRule = FileRule<StatementList>
typealias PasskeyRule = FileRule<Value>

/// The findings of the rules in one file.
struct RuleFindings {
  let source: SourceText
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var omitted = 0
  private let limit: Int
  private var kind: Kind?
  private var countOfRule = 0

  init(_ source: SourceText, limit: Int) {
    self.source = source
    self.limit = limit
  }

  /// Runs the rules on the content of the file, except those whose codes are ignored.
  mutating func run<Content>(
    _ rules: [FileRule<Content>], on content: Content, ignoring ignored: Set<String>
  ) {
    for rule in rules where !ignored.contains(rule.kind.code) {
      kind = rule.kind
      countOfRule = 0
      rule.check(content, &self)
    }
  }

  /// Reports the smallest span that is wrong, in one sentence in lower case without a full stop, and
  /// how to fix it.
  mutating func report(_ range: Range<Int>, _ message: String, help: String) {
    guard let kind else { return }
    countOfRule += 1
    guard countOfRule <= limit else {
      omitted += 1
      return
    }
    diagnostics.append(
      Diagnostic(
        kind, message, at: source.location(of: range), help: help,
        note: kind.consequence + (kind.source.map { "; \($0)" } ?? "")))
  }

  /// All findings, in the order of their places.
  var report: ValidationReport {
    func start(_ diagnostic: Diagnostic) -> Int {
      diagnostic.location?.place?.range.lowerBound ?? -1
    }
    let sorted = diagnostics.sorted {
      start($0) != start($1) ? start($0) < start($1) : $0.code < $1.code
    }
    return ValidationReport(form: .json, diagnostics: sorted, omitted: omitted)
  }
}
