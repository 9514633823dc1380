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
