package import AppSiteAssociation
package import Diagnostics
internal import JSON
internal import Rules

/// All rules about statement lists, in the order of their codes.
package let statementRules: [StatementRule] =
  listRules + targetRules + fingerprintRules + dynamicRules + dynamicOrderRules

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
  if let fault = assetLinksFault(in: source) {
    return ValidationReport(form: nil, diagnostics: [fault])
  }
  do throws(SyntaxError) {
    let list = StatementList(try Document(parsing: source).root)
    return StatementRule.report(
      of: statementRules, on: list, in: source, ignoring: ignored, limit: limit)
  } catch {
    return ValidationReport(form: nil, diagnostics: [error.diagnostic(in: source)])
  }
}
