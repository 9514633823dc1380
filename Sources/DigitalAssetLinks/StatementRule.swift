package import AppSiteAssociation
package import Diagnostics
internal import JSON

/// A fault in statement lists: how to find it, and what to report.
///
/// Severity follows what devices do, as for association files: an error when a statement can never
/// hold, a warning when something in it has no effect, a note for the rest.
package struct StatementRule: Sendable {
  /// `aasa explain` prints it. Its examples are whole files: the wrong one breaks this rule, the
  /// right one breaks none.
  package let kind: DiagnosticKind
  let check: @Sendable (StatementList, inout StatementFindings) -> Void

  package var code: String { kind.code }

  init(
    _ code: String, _ name: String, _ severity: Diagnostic.Severity, _ what: String,
    _ consequence: String, source: String?, wrong: String, right: String,
    check: @escaping @Sendable (StatementList, inout StatementFindings) -> Void
  ) {
    kind = DiagnosticKind(
      code, name, what, consequence, source, severity: severity, wrong: wrong, right: right)
    self.check = check
  }

  /// All rules, in the order of their codes.
  package static let all =
    listRules + targetRules + fingerprintRules + dynamicRules + dynamicOrderRules
}

/// The findings of the rules in one file.
struct StatementFindings {
  let source: SourceText
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var omitted = 0
  private let limit: Int
  private var kind: DiagnosticKind?
  private var countOfRule = 0

  init(_ source: SourceText, limit: Int) {
    self.source = source
    self.limit = limit
  }

  mutating func begin(_ kind: DiagnosticKind) {
    self.kind = kind
    countOfRule = 0
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

/// The sources of the facts, for notes.
enum Evidence {
  static let google = "Google's documentation says so"
  static let specification = "the Asset Links Specification says so"
  static let android = "Android's source code shows it"
  static let unknown = "Google does not say"
}

/// Runs every rule on a statement list.
///
/// - Parameters:
///   - ignored: codes of rules that are not run.
///   - limit: the number of findings of one rule that are kept.
package func validate(
  assetLinks source: SourceText, ignoring ignored: Set<String> = [], limit: Int = 50
) -> ValidationReport {
  let document: Document
  do throws(SyntaxError) {
    document = try Document(parsing: source)
  } catch {
    return ValidationReport(form: nil, diagnostics: [error.diagnostic(in: source)])
  }
  if let fault = assetLinksFault(in: source) {
    return ValidationReport(form: nil, diagnostics: [fault])
  }
  let list = StatementList(document.root)
  var findings = StatementFindings(source, limit: limit)
  for rule in StatementRule.all where !ignored.contains(rule.code) {
    findings.begin(rule.kind)
    rule.check(list, &findings)
  }
  return findings.report
}
