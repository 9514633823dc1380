internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import DigitalAssetLinks
internal import HTTP
internal import JSON

/// The well-known files that others ask for again and again, besides those of apps: those about
/// passkeys, and Apple's own, which only Apple can judge.
let watchedWellKnownFiles =
  PasskeyFile.allCases.map(\.rawValue) + [
    "apple-developer-merchantid-domain-association",
    "apple-developer-merchantid-domain-association.txt", "apple-developer-domain-association.txt",
  ]

/// Findings about those files. Many servers answer every path with something, so only what is meant
/// for the file is judged.
///
/// - Parameter name: The name in `.well-known`.
func wellKnownFindings(_ name: String, _ exchange: Exchange) -> [Finding] {
  guard let (head, body) = exchange.response else { return [] }
  if head.isRedirect {
    let path = head.value(of: "location")?.prefix { $0 != "?" && $0 != "#" } ?? ""
    guard path.hasSuffix("/.well-known/" + name) else { return [] }
    return [
      Finding(
        .wellKnownRedirects, "\(name) redirects, and clients of such files follow no redirect",
        exchange,
        help: "serve it at \(exchange.request.url) itself")
    ]
  }
  guard head.status == 200, let file = PasskeyFile(rawValue: name) else { return [] }
  let source = SourceText(path: exchange.request.url, bytes: body)
  guard file.isMeant(source) else { return [] }
  let type = head.value(of: "content-type") ?? "none"
  if type.lowercased().prefix(while: { $0 != ";" && $0 != " " }) != "application/json" {
    return [
      Finding(
        .passkeysFaulty, "the content type of \(name) is \(type)", exchange,
        help: "send it as application/json")
    ]
  }
  let errors = validate(passkeys: source, as: file).diagnostics.filter { $0.severity == .error }
  guard let first = errors.first else { return [] }
  return [
    Finding(
      .passkeysFaulty, "\(name) has an error: \(first.message) (\(first.code))", exchange,
      help: first.help)
  ]
}

extension PasskeyFile {
  /// Whether an answer has a key of the file, or nearly one.
  fileprivate func isMeant(_ source: SourceText) -> Bool {
    guard let root = try? Document(parsing: source).root else { return false }
    let beginnings =
      switch self {
      case .relatedOrigins: ["origin"]
      case .endpoints: ["enrol", "manage", "prf"]
      }
    return root.members.contains { member in
      beginnings.contains { member.key.lowercased().hasPrefix($0) }
    }
  }
}

extension FindingKind {
  static let wellKnownRedirects = FindingKind(
    .none,
    RulePage(
      "F108", "well-known-redirects", "a file about passkeys, or one of Apple's, redirects",
      "clients and Apple follow no redirect, so they do not get it",
      "the Web Authentication specification says so for webauthn", severity: .warning,
      fix: "serve the file at its own address"))

  static let passkeysFaulty = FindingKind(
    .none,
    RulePage(
      "F109", "passkeys-faulty", "clients cannot use a live file about passkeys",
      "they ignore it: other sites cannot use the passkeys, or pages are not offered",
      "the Web Authentication specification says so", severity: .warning,
      fix: "save the file as webauthn or passkey-endpoints, and run aasa validate on it"))

  static let wellKnownKinds: [FindingKind] = [.wellKnownRedirects, .passkeysFaulty]
}
