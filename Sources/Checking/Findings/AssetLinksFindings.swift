internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import DigitalAssetLinks
internal import HTTP
internal import Rules

/// Returns findings about the `assetlinks.json` that a domain serves, judged as Google's service
/// reads it. Apple's systems ignore this file. Nevertheless, an error that keeps Android from
/// verifying apps has the severity error.
///
/// - Parameters:
///   - type: The severity of a wrong content type; nil to use the severity of the finding's kind.
///   - faulty: The severity of errors in the list; nil to use the severity of the finding's kind.
func assetLinksFindings(
  _ exchange: Exchange, type: Diagnostic.Severity? = nil, faulty: Diagnostic.Severity? = nil
) -> [Finding] {
  guard let (head, body) = exchange.response else { return [] }
  if head.isRedirect {
    return [
      Finding(
        .assetLinks, "assetlinks.json redirects, but Android follows no redirect", exchange)
    ]
  }
  guard head.status == 200 else { return [] }
  guard body.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") else {
    return [
      Finding(
        .assetLinks, "the content of assetlinks.json is not a list of statements", exchange)
    ]
  }
  return typeFindings(head, exchange, type) + ruleFindings(body, exchange, faulty)
}

/// - Parameter exchange: The request for `robots.txt` and its answer; nil if this request was not
///   made.
func robotFindings(_ exchange: Exchange?) -> [Finding] {
  guard let exchange, let (head, body) = exchange.response, head.status == 200,
    !RobotRules(body, for: "googlebot").permits("/.well-known/assetlinks.json")
  else { return [] }
  return [
    Finding(
      .assetLinksForRobots,
      "robots.txt does not let Google's robot fetch assetlinks.json", exchange)
  ]
}

private func typeFindings(
  _ head: ReceivedHead, _ exchange: Exchange, _ severity: Diagnostic.Severity?
) -> [Finding] {
  let type = head.value(of: "content-type") ?? "none"
  let name = type.lowercased().prefix { $0 != ";" && $0 != " " }
  if name == "application/json", head.values(of: "content-type").count == 1 { return [] }
  return [
    Finding(
      .assetLinksType, "the content type of assetlinks.json is \(type)", exchange,
      severity: severity)
  ]
}

/// If the validation rules find errors, returns one finding for all of them, because `aasa
/// validate` shows each error. Otherwise returns a warning about the first fault that may keep
/// Android from verifying an app.
private func ruleFindings(
  _ body: [UInt8], _ exchange: Exchange, _ severity: Diagnostic.Severity?
) -> [Finding] {
  let source = SourceText(path: exchange.request.url, bytes: body)
  let diagnostics = AssetLinksFile(source).report().diagnostics
  let errors = diagnostics.filter { $0.severity == .error }
  guard let first = errors.first(where: { keepsAppsFromAndroid($0.kind) }) ?? errors.first else {
    let concern = diagnostics.first { $0.severity == .warning && keepsAppsFromAndroid($0.kind) }
    return concern.map { [finding(of: $0, "a fault", exchange, .warning)] } ?? []
  }
  let more =
    switch errors.count {
    case 1: ""
    case 2: ", and one more error"
    case let count: ", and \(count - 1) more errors"
    }
  let severity = severity ?? (keepsAppsFromAndroid(first.kind) ? .error : nil)
  return [finding(of: first, "an error", exchange, severity, more: more)]
}

private func finding(
  of diagnostic: Diagnostic, _ what: String, _ exchange: Exchange,
  _ severity: Diagnostic.Severity?, more: String = ""
) -> Finding {
  let line = diagnostic.location?.place.map { " in line \($0.line)" } ?? ""
  return Finding(
    .assetLinksFaulty,
    "assetlinks.json has \(what)\(line): \(diagnostic.message) (\(diagnostic.code))\(more)",
    exchange,
    severity: severity, help: diagnostic.help)
}

extension Kind {
  static let assetLinks = Kind(
    "F057", "assetlinks", "the answer for assetlinks.json is not a list of statements",
    "links on Android do not open the app; Apple's systems do not use this file", nil,
    severity: .note,
    fix: "serve a JSON array as assetlinks.json, without a redirect, or answer with status 404")

  static let assetLinksType = Kind(
    "F058", "assetlinks-type", "assetlinks.json is not sent as application/json",
    "Google's service refuses the list, so Android verifies no app; Apple's systems do not use "
      + "this file",
    "Google's documentation says so", severity: .note,
    fix: "send assetlinks.json as "
      + "application/json")

  static let assetLinksFaulty = Kind(
    "F059", "assetlinks-faulty", "assetlinks.json contains errors",
    "Android rejects a statement that contains an error; Apple's systems do not use this file", nil,
    severity: .note,
    fix: "save the file and run aasa validate on it to see the place of each error; --ignore F059 "
      + "hides this finding")

  static let otherThanExpectedStatements = Kind(
    "F106", "other-statements", "assetlinks.json is not the expected file",
    "Android apps do not have the rights that only the expected file grants", nil,
    effect: .expectation,
    fix: "deploy the expected file, or give a different expected file with --file")

  static let assetLinksForRobots = Kind(
    "F107", "assetlinks-for-robots", "robots.txt does not let Google's robot fetch assetlinks.json",
    "Google's services, including those for passwords and passkeys, may not fetch the file; "
      + "Apple's systems do not use this file",
    "Google's documentation says so", severity: .note,
    fix: "in robots.txt, add \"Allow: /.well-known/assetlinks.json\" to the group for Googlebot, "
      + "or to the group for all robots")

  static let assetLinksKinds: [Kind] = [
    .assetLinks, .assetLinksType, .assetLinksFaulty, .otherThanExpectedStatements,
    .assetLinksForRobots,
  ]
}
