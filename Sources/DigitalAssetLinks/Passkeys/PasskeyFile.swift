package import Diagnostics
internal import JSON
package import Rules

/// A well-known file about passkeys.
package enum PasskeyFile: String, Sendable, CaseIterable {
  /// The origins that may use the passkeys of this domain.
  case relatedOrigins = "webauthn"
  /// The pages on which users make and manage passkeys.
  case endpoints = "passkey-endpoints"

  /// The kinds of the file's diagnostics, in the order of their codes.
  package var kinds: [Kind] { rules.map(\.kind) }

  fileprivate var rules: [PasskeyRule] {
    switch self {
    case .relatedOrigins: relatedOriginRules
    case .endpoints: endpointRules
    }
  }
}

/// Runs every rule on a file about passkeys. Clients can use a file without errors.
///
/// - Parameters:
///   - ignored: The codes of rules to skip.
///   - limit: The maximum number of findings kept per rule.
package func validate(
  passkeys source: SourceText, as file: PasskeyFile, ignoring ignored: Set<String> = [],
  limit: Int = 50
) -> ValidationReport {
  do throws(SyntaxError) {
    let root = try Document(parsing: source).root
    return PasskeyRule.report(
      of: file.rules, on: root, in: source, ignoring: ignored, limit: limit)
  } catch {
    return ValidationReport(isReadable: false, diagnostics: [error.diagnostic(in: source)])
  }
}
