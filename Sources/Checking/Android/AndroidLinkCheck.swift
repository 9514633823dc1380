package import AppFiles
internal import Client
package import Diagnostics
internal import DigitalAssetLinks
internal import HTTP
internal import Posix
package import Rules

/// Checks an Android app's manifest, and whether the live `assetlinks.json` files of its hosts let
/// the app open links to the hosts.
package struct AndroidLinkCheck: CheckTask {
  private let path: String
  private let packageName: String
  /// The fingerprints of the app's certificates; empty if the fingerprints are unknown.
  private let fingerprints: [String]
  private let filters: ManifestLinks
  private let scope: ManifestScope
  /// Links that should open the app.
  private let links: [String]
  private let overlaps: Budget
  package var hosts: [String] { filters.hosts }

  /// - Parameters:
  ///   - path: The path of the manifest.
  ///   - needsLinks: Whether a manifest without links is a fault.
  ///   - links: Links and paths that should open the app.
  ///   - overlaps: The maximum work for comparing a host's dynamic rules with the manifest. When
  ///     this budget is spent, no more rules are reported.
  package init(
    _ manifest: AndroidManifest, at path: String, packageName: String, fingerprints: [String],
    needsLinks: Bool = true, links: [String] = [], overlaps: Budget = CheckLimits.overlaps
  ) {
    self.path = path
    self.packageName = packageName
    self.fingerprints = fingerprints
    self.overlaps = overlaps
    let filters = ManifestLinks(manifest, isRequired: needsLinks)
    self.filters = filters
    scope = ManifestScope(manifest)
    self.links = links.flatMap { link in
      link.hasPrefix("/") && !link.hasPrefix("//")
        ? filters.hosts.map { "https://\($0)\(link)" } : [link]
    }
  }

  /// Returns the results for the manifest, for each link, and for each host.
  package func results(_ context: CheckContext) -> CheckResults {
    let policy = context.policy
    let results = inParallel(hosts.count, slice: 1, threads: context.parallel) { range in
      hosts[range].map { check($0, context) }
    }.flatMap(\.self)
    let faults = [
      CheckedSubject(path, filters.findings, policy), filters.allOrNone(results, of: path, policy),
    ].compactMap(\.self)
    return CheckResults(
      subjects: faults + links.compactMap { scope.check($0, policy) } + results.compactMap(\.self))
  }

  /// Returns the result for a host; nil if the host name is invalid.
  private func check(_ host: String, _ context: CheckContext) -> CheckedSubject? {
    let settings = context.settings
    guard let request = FetchRequest(host: host, path: "/.well-known/assetlinks.json") else {
      return nil
    }
    let exchange = settings.fetch(request)
    let name = "\(host) on Android"
    let good =
      "\(name): assetlinks.json lets \(packageName) open links"
      + (fingerprints.isEmpty ? "; the fingerprint of the app's certificate was not compared" : "")
    let robots =
      exchange.response?.head.status == 200
      ? FetchRequest(host: host, path: "/robots.txt").map { settings.fetch($0) } : nil
    let found = findings(exchange, settings) + robotFindings(robots)
    return CheckedSubject(name, found, context.policy, key: "domain", good: good)
      ?? CheckedSubject(good: name, good)
  }

  private func findings(_ exchange: Exchange, _ settings: ClientSettings) -> [Finding] {
    let host = HostStatements(exchange) { settings.world.isOfMachine($0, exchange) }
    guard let list = host.list else { return [host.fault].compactMap(\.self) }
    return permissionFindings(host, list)
      + assetLinksFindings(exchange, type: .error, faulty: .warning)
  }

  private func permissionFindings(_ host: HostStatements, _ list: StatementList) -> [Finding] {
    let app = AndroidApp(packageName: packageName, fingerprints: fingerprints)
    let standing = list.standing(app, .openLinks)
    if case .unnamed = standing, list.includesAnother {
      return [host.notRead("\(packageName) may open links")]
    }
    let finding = host.finding(
      standing, app, .openLinks, .hostWithoutApp, other: .hostWithOtherFingerprint)
    guard let linked = list.linkedApps.first(where: { $0.packageName == packageName }) else {
      return [finding].compactMap(\.self)
    }
    let name = host.exchange.request.host
    return [finding].compactMap(\.self) + keptLinkFindings(host.file, packageName, links, name)
      + uselessRuleFindings(linked, name, host.file.source)
  }

  /// Returns a finding for each dynamic rule that opens no link, because no filter of the manifest
  /// matches the rule's path.
  private func uselessRuleFindings(
    _ app: LinkedApp, _ host: String, _ source: SourceText
  ) -> [Finding] {
    var budget = overlaps
    var findings: [Finding] = []
    for rule in app.rules ?? [] where findings.count < CheckLimits.requirementFindings {
      guard !rule.excludes, let path = rule.path,
        scope.excludes(path: path, ofHost: host, &budget)
      else { continue }
      findings.append(
        Finding(
          .dynamicRuleOutsideManifest,
          "the dynamic rule in line \(source.place(of: rule.range).line), \(rule.text), opens no "
            + "link: no filter of the manifest matches the rule's path"))
    }
    return findings
  }
}

/// Returns a finding for each of these links to the host that stays in the browser because of the
/// dynamic rules for the app.
func keptLinkFindings(
  _ file: AssetLinksFile, _ app: String, _ links: [String], _ host: String
) -> [Finding] {
  guard let rules = AndroidLinks(file) else { return [] }
  return links.filter { isDecided($0, by: host) }.compactMap { link in
    guard let decision = rules.decide(link, for: [app]).first, decision.outcome != .opens else {
      return nil
    }
    return Finding(
      .dynamicRulesKeepLink,
      "\(link) stays in the browser on Android 15 and later: \(decision.words(in: rules.source))")
  }
}

/// Whether the host's file applies to a link: the link is to the host or to one of its subdomains.
private func isDecided(_ link: String, by host: String) -> Bool {
  guard let other = hostOfURL(link) else { return false }
  return other == host || other.hasSuffix("." + host)
}

/// Returns the finding that the host serves no list of statements that Android can read. The
/// finding also states the reason.
func missingListFinding(_ exchange: Exchange, _ fault: Diagnostic?) -> Finding {
  let url = exchange.request.url
  func finding(_ found: String, _ help: String) -> Finding {
    Finding(
      .hostWithoutStatements, "the host serves no assetlinks.json that Android can read (\(found))",
      exchange,
      help: help)
  }
  let serve = "serve assetlinks.json at \(url), with status 200"
  guard let (head, body) = exchange.response else {
    return finding(
      exchange.fault?.description ?? responseSummary(exchange), exchange.fault?.help ?? serve)
  }
  if head.isRedirect {
    return finding(
      responseSummary(exchange), "serve the list at \(url) itself: Android follows no redirect")
  }
  guard head.status == 200, let fault else { return finding(responseSummary(exchange), serve) }
  if isPage(body) {
    return finding(
      responseSummary(exchange),
      "serve the file at \(url); the server must not answer this path with its fallback page")
  }
  // Report a line and column only if the body starts with `[`. Any other body was not intended as a
  // list of statements.
  if body.first(where: { $0 > 0x20 }) != UInt8(ascii: "[") {
    return finding(fault.message, fault.help ?? serve)
  }
  let line = fault.location?.place.map { " in line \($0.line), column \($0.column)" } ?? ""
  return Finding(
    .hostWithoutStatements,
    "Android cannot read assetlinks.json\(line): \(fault.message) (\(fault.code))", exchange,
    help: fault.help)
}

extension ManifestScope {
  /// Returns the result for one link, from the manifest alone. Makes no request.
  package func check(_ link: String, _ policy: VerdictPolicy) -> CheckedSubject? {
    let name = "\(link) on Android"
    switch verdict(link) {
    case .takes(let how): return CheckedSubject(good: name, "\(name): \(how)")
    case .leaves(let reason):
      let finding = Finding(.manifestLeavesLink, "the manifest does not match the link: \(reason)")
      return CheckedSubject(name, [finding], policy)
    case .unknown(let reason):
      let finding = Finding(
        .manifestLeavesLink, "undecided: \(reason)", severity: .warning,
        help: "set the values of the build's placeholders, as in --set NAME=VALUE")
      return CheckedSubject(name, [finding], policy)
    }
  }
}
