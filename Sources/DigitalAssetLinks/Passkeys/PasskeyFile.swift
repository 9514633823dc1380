package import AppSiteAssociation
package import Diagnostics
internal import JSON

/// A well-known file about passkeys.
package enum PasskeyFile: String, Sendable, CaseIterable {
  /// The origins that may use the passkeys of this domain.
  case relatedOrigins = "webauthn"
  /// The kinds on which users make and manage passkeys.
  case endpoints = "passkey-endpoints"

  /// The rules for its content, in the order of their codes.
  package var kinds: [DiagnosticKind] { rules.map(\.kind) }

  fileprivate var rules: [PasskeyRule] {
    switch self {
    case .relatedOrigins: relatedOriginRules
    case .endpoints: endpointRules
    }
  }
}

/// A fault in a file about passkeys: how to find it, and what to report. Its severities are those of
/// `StatementRule`.
struct PasskeyRule: Sendable {
  /// Its examples are whole files.
  let kind: DiagnosticKind
  let check: @Sendable (Value, inout StatementFindings) -> Void

  init(
    _ code: String, _ name: String, _ severity: Diagnostic.Severity, _ what: String,
    _ consequence: String, source: String?, wrong: String, right: String,
    check: @escaping @Sendable (Value, inout StatementFindings) -> Void
  ) {
    kind = DiagnosticKind(
      code, name, what, consequence, source, severity: severity, wrong: wrong, right: right)
    self.check = check
  }
}

/// Runs every rule on a file about passkeys. A file without a diagnostic of severity error can be
/// used by clients.
///
/// - Parameters:
///   - ignored: codes of rules that are not run.
///   - limit: the number of findings of one rule that are kept.
package func validate(
  passkeys source: SourceText, as file: PasskeyFile, ignoring ignored: Set<String> = [],
  limit: Int = 50
) -> ValidationReport {
  let document: Document
  do throws(SyntaxError) {
    document = try Document(parsing: source)
  } catch {
    return ValidationReport(form: nil, diagnostics: [error.diagnostic(in: source)])
  }
  var findings = StatementFindings(source, limit: limit)
  for rule in file.rules where !ignored.contains(rule.kind.code) {
    findings.begin(rule.kind)
    rule.check(document.root, &findings)
  }
  return findings.report
}
