package import AppSiteAssociation
package import Diagnostics
internal import JSON

/// Compares the files of one host. These files decide which apps and sites may use the host's
/// passkeys.
package struct PasskeyAgreement {
  /// The association file; nil if the host has no such file, or if the file cannot be read.
  package var association: AssociationFile?
  package var assetLinks: AssetLinksFile?
  /// The paths of other well-known files of the host. The presence of such a file shows that the
  /// host has passkeys.
  package var passkeyFiles: [String] = []

  package init() {}

  /// The kinds of diagnostics that this type reports.
  package static let kinds = [onlyApple, onlyAndroid, withoutApps]

  /// Diagnostics about platforms on which no app may use the host's passkeys, although one of the
  /// files shows that the host has passkeys.
  package var diagnostics: [Diagnostic] {
    let apple = association?.document?.root
    let android = assetLinks?.list
    let sharesOnApple = apple.map { !apps(in: $0, of: "webcredentials").isEmpty } ?? false
    let sharesOnAndroid = android?.statements.contains(where: \.sharesCredentials) ?? false
    if let assetLinks, let android, sharesOnApple, !sharesOnAndroid, !android.apps.isEmpty {
      return [
        diagnostic(
          Self.onlyApple, "no Android app may use the passkeys of the domain",
          at: assetLinks.source.path)
      ]
    }
    guard let association, let apple else { return [] }
    if sharesOnAndroid, !sharesOnApple {
      return [
        diagnostic(
          Self.onlyAndroid, "no app on Apple's systems may use the passkeys of the domain",
          at: association.text.path)
      ]
    }
    if !sharesOnApple, !passkeyFiles.isEmpty, let details = apple.member("applinks"),
      details.kind == .object
    {
      return [
        diagnostic(
          Self.withoutApps, "the domain has passkeys, but no app may use them",
          at: association.text.path)
      ]
    }
    return []
  }

  private func apps(in root: Value, of service: String) -> [Value] {
    root.member(service)?.member("apps").map { Array($0.elements) } ?? []
  }

  private func diagnostic(_ kind: Kind, _ message: String, at path: String) -> Diagnostic {
    Diagnostic(kind, message, at: .init(path: path), note: kind.consequence)
  }

  private static let onlyApple = Kind(
    "D170", "passkeys-without-android",
    "an association file shares passkeys with apps, but assetlinks.json does not",
    "Android apps cannot use the domain's passkeys", nil, severity: .note,
    fix: "add \"\(AppRelation.shareCredentials.rawValue)\" to `relation` in the statement of the "
      + "app that uses passkeys")
  private static let onlyAndroid = Kind(
    "D171", "passkeys-without-apple",
    "assetlinks.json shares passkeys with apps, but the association file does not",
    "apps on Apple's systems cannot use the passkeys of the domain", nil, severity: .note,
    fix: nameAppsWithPasskeys)
  private static let withoutApps = Kind(
    "D172", "passkeys-without-apps",
    "a host has the file webauthn or passkey-endpoints, but its association file lists no app in "
      + "webcredentials",
    "apps on Apple's systems cannot use the passkeys of the domain", nil, severity: .note,
    fix: nameAppsWithPasskeys)
}

private let nameAppsWithPasskeys =
  #"add "webcredentials": {"apps": ["TEAM.bundle"]} with the apps that use passkeys"#

extension Statement {
  /// Whether the statement lets an app use the domain's passwords and passkeys.
  fileprivate var sharesCredentials: Bool {
    target?.kind == .app && has(.shareCredentials)
  }
}
