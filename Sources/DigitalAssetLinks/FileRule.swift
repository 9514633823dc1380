internal import AppSiteAssociation
internal import Diagnostics
internal import JSON
package import Rules

package typealias StatementRule = FileRule<StatementList>
typealias PasskeyRule = FileRule<Value>

extension FileRule {
  /// A rule whose examples are whole files.
  init(
    _ code: String, _ name: String, _ severity: Diagnostic.Severity, _ what: String,
    _ consequence: String, source: String?, wrong: String, right: String,
    check: @escaping @Sendable (Content, inout Findings) -> Void
  ) {
    self.init(
      Kind(code, name, what, consequence, source, severity: severity, wrong: wrong, right: right),
      check: check)
  }

  /// Runs rules on the content of a file.
  ///
  /// - Parameters:
  ///   - ignored: The codes of rules that are not run.
  ///   - limit: The number of findings of one rule that are kept.
  static func report(
    of rules: [FileRule], on content: Content, in source: SourceText, ignoring ignored: Set<String>,
    limit: Int
  ) -> ValidationReport {
    var findings = Findings(limit: limit)
    findings.run(rules, on: content, ignoring: ignored)
    let found = findings.diagnostics(in: source)
    return ValidationReport(form: .json, diagnostics: found.kept, omitted: found.omitted)
  }
}
