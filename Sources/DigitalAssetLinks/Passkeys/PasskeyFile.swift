package import AppSiteAssociation
package import Diagnostics
package import JSON
package import Rules

/// A well-known file about passkeys.
package enum PasskeyFile: String, Sendable, CaseIterable {
  /// The origins that may use the passkeys of this domain.
  case relatedOrigins = "webauthn"
  /// The pages on which users make and manage passkeys.
  case endpoints = "passkey-endpoints"

  /// The kinds of the file's diagnostics.
  package var kinds: [Kind] { content.rules.map(\.kind) }
  /// The first letters of its keys, which tell whether an answer is such a file.
  package var beginnings: [String] { content.beginnings }

  fileprivate var content: (rules: [PasskeyRule], beginnings: [String]) {
    switch self {
    case .relatedOrigins: (relatedOriginRules, ["origin"])
    case .endpoints: (endpointRules, ["enrol", "manage", "prf"])
    }
  }
}

/// The bytes of a file about passkeys, read once: its value, or why it is not JSON.
package struct PasskeyReading: Sendable {
  package let source: SourceText
  /// The value that is the whole text; nil if the text is not JSON.
  package let root: Value?
  /// Why the text is not JSON; nil if it is.
  package let fault: Diagnostic?
  private let file: PasskeyFile

  /// Reads a file without running any rule.
  package init(_ source: SourceText, as file: PasskeyFile) {
    self.source = source
    self.file = file
    do throws(SyntaxError) {
      root = try Document(parsing: source).root
      fault = nil
    } catch {
      root = nil
      fault = error.diagnostic(in: source)
    }
  }

  /// Runs every rule. Clients can use a file without errors.
  ///
  /// - Parameters:
  ///   - ignored: The codes of rules to skip.
  ///   - limit: The maximum number of findings kept per rule.
  package func report(ignoring ignored: Set<String> = [], limit: Int = 50) -> ValidationReport {
    guard let root else {
      return ValidationReport(isReadable: false, diagnostics: [fault].compactMap(\.self))
    }
    return PasskeyRule.report(
      of: file.content.rules, on: root, in: source, ignoring: ignored, limit: limit)
  }
}

/// The files of one host that say which apps and sites may use its passkeys.
package struct PasskeyAgreement {
  /// The association file; nil if there is no readable one.
  package var association: AssociationFile?
  package var assetLinks: AssetLinksFile?
  /// The paths of `webauthn` and `passkey-endpoints`.
  package var passkeyFiles: [String] = []

  package init() {}

  /// The kinds of diagnostics that this type reports.
  package static let kinds = [onlyApple, onlyAndroid, withoutApps]

  /// What one file grants and another leaves out.
  package var diagnostics: [Diagnostic] {
    let apple = association?.document?.root
    let android = assetLinks?.list
    let sharesOnApple = apple.map { !apps(in: $0, of: "webcredentials").isEmpty } ?? false
    let sharesOnAndroid = android?.statements.contains(where: \.sharesCredentials) ?? false
    if let assetLinks, let android, sharesOnApple, !sharesOnAndroid, !android.apps.isEmpty {
      return [
        diagnostic(
          Self.onlyApple, "no Android app may use the passkeys of the domain",
          at: assetLinks.source.path,
          help:
            "add \"\(AppRelation.shareCredentials.rawValue)\" to `relation` of the app that has "
            + "passkeys")
      ]
    }
    guard let association, let apple else { return [] }
    if sharesOnAndroid, !sharesOnApple {
      return [
        diagnostic(
          Self.onlyAndroid, "no app of Apple's systems may use the passkeys of the domain",
          at: association.text.path, help: webCredentialsHelp)
      ]
    }
    if !sharesOnApple, !passkeyFiles.isEmpty, let details = apple.member("applinks"),
      details.kind == .object
    {
      return [
        diagnostic(
          Self.withoutApps, "the domain has passkeys, and its apps may not use them",
          at: association.text.path, help: webCredentialsHelp)
      ]
    }
    return []
  }

  private func apps(in root: Value, of service: String) -> [Value] {
    root.member(service)?.member("apps").map { Array($0.elements) } ?? []
  }

  private func diagnostic(
    _ kind: Kind, _ message: String, at path: String, help: String
  ) -> Diagnostic {
    Diagnostic(kind, message, at: .init(path: path), help: help, note: kind.consequence)
  }

  private static let onlyApple = Kind(
    "D170", "passkeys-without-android",
    "an association file shares passkeys with apps, and assetlinks.json with none",
    "Android's apps cannot use the passkeys of the domain", nil, severity: .note,
    fix: "add delegate_permission/common.get_login_creds to the relations of the app")
  private static let onlyAndroid = Kind(
    "D171", "passkeys-without-apple",
    "assetlinks.json shares passkeys with apps, and the association file with none",
    "apps of Apple's systems cannot use the passkeys of the domain", nil, severity: .note,
    fix: "name the apps under webcredentials")
  private static let withoutApps = Kind(
    "D172", "passkeys-without-apps",
    "a host has a file about passkeys, and its association file names no app under webcredentials",
    "apps of Apple's systems cannot use the passkeys of the domain", nil, severity: .note,
    fix: "name the apps under webcredentials, if they are to sign in with passkeys")
}

private let webCredentialsHelp =
  #"add "webcredentials": {"apps": ["TEAM.bundle"]} with the apps that have passkeys"#

extension Statement {
  /// Whether the statement lets an app use the domain's passwords and passkeys.
  fileprivate var sharesCredentials: Bool {
    target?.kind == .app && has(.shareCredentials)
  }
}
