package import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import DigitalAssetLinks
internal import HTTP

/// Checks whether the live `assetlinks.json` of hosts lets an Android app open their links.
package struct AndroidLinkCheck: Sendable {
  private let packageName: String
  /// The fingerprints that the app is signed with; empty if they are not known.
  private let fingerprints: [String]
  private let settings: ClientSettings
  private let policy: VerdictPolicy

  package init(
    packageName: String, fingerprints: [String], settings: ClientSettings, policy: VerdictPolicy
  ) {
    self.packageName = packageName
    self.fingerprints = fingerprints
    self.settings = settings
    self.policy = policy
  }

  /// Nil if the host's name cannot be asked for.
  package func check(_ host: String) -> CheckedSubject? {
    guard let request = FetchRequest(host: host, path: "/.well-known/assetlinks.json") else {
      return nil
    }
    let exchange = settings.fetch(request)
    let findings = permissionFindings(exchange) + assetLinksFindings(exchange)
    let name = "\(host) on Android"
    return CheckedSubject(
      name, findings.filter { $0.code != FindingKind.assetLinks.code }, policy, key: "domain")
      ?? CheckedSubject(
        good: name,
        "\(name): assetlinks.json lets \(packageName) open links"
          + (fingerprints.isEmpty ? "; its fingerprint was not compared" : ""))
  }

  private func permissionFindings(_ exchange: Exchange) -> [Finding] {
    let host = exchange.request.host
    guard let (head, body) = exchange.response, head.status == 200,
      let list = statementList(in: SourceText(path: exchange.request.url, bytes: body))
    else {
      let found = exchange.fault.map(\.description) ?? whatCame(exchange, "something else")
      return [
        Finding(
          .hostWithoutStatements, "there is no list of statements for Android (\(found))", exchange,
          help: "serve assetlinks.json at \(exchange.request.url), with status 200")
      ]
    }
    let named = list.fingerprints(ofLinkedApp: packageName)
    guard let named else {
      // An included list may name it.
      if list.statements.contains(where: { $0.include != nil }) { return [] }
      return [
        Finding(
          .hostWithoutApp, "assetlinks.json does not let \(packageName) open links", exchange,
          help: "add a statement for \(packageName) with the relation "
            + "delegate_permission/common.handle_all_urls to the file of \(host)")
      ]
    }
    // Keys of debug builds and of other stores may be missing.
    if fingerprints.isEmpty || fingerprints.contains(where: named.contains) { return [] }
    return [
      Finding(
        .hostWithOtherFingerprint,
        "assetlinks.json names \(packageName) with another fingerprint than the app's", exchange,
        help: "add \(fingerprints.joined(separator: " or "))")
    ]
  }
}
