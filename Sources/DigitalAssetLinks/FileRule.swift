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
}
