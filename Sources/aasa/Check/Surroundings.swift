internal import Client
internal import Diagnostics
internal import HTTP

/// What stands around a domain: what people and apps take for the same place, and Apple does not.
struct Surroundings {
  /// The same path by plain HTTP.
  let plain: Exchange?
  /// `www.` before the domain, or the domain without it.
  let sibling: Exchange?
  /// The host that serves the file for all subdomains of it, the domain among them.
  let wildcardRoot: Exchange?
  /// Android's file.
  let assetLinks: Exchange?

  /// Nothing is asked of a domain that is looked at in a special way: not on HTTPS's port, or at an
  /// address of which it is not known what else is there.
  init(_ target: HostTarget, _ client: ClientSettings) {
    func ask(_ request: FetchRequest?) -> Exchange? {
      request.map { client.fetch($0, isOwn: false) }
    }
    let path = associationPaths[0]
    plain = ask(FetchRequest(.http, host: target.host, path: path))
    sibling = ask(Self.sibling(of: target.host).flatMap { FetchRequest(host: $0, path: path) })
    wildcardRoot = ask(
      Self.wildcardRoot(of: target.host).flatMap { FetchRequest(host: $0, path: path) })
    assetLinks = ask(FetchRequest(host: target.host, path: "/.well-known/assetlinks.json"))
  }

  /// Of a name of two labels, or one that begins with `www`, the other one; deeper names have none.
  static func sibling(of host: String) -> String? {
    if host.hasPrefix("www.") { return String(host.dropFirst(4)) }
    return host.count(where: { $0 == "." }) == 1 ? "www." + host : nil
  }

  /// The name above a subdomain other than `www`; nil where that is a top-level domain.
  static func wildcardRoot(of host: String) -> String? {
    guard !host.hasPrefix("www."), host.count(where: { $0 == "." }) > 1,
      let dot = host.firstIndex(of: ".")
    else { return nil }
    return String(host[host.index(after: dot)...])
  }

  var exchanges: [Exchange] { [plain, sibling, wildcardRoot, assetLinks].compactMap(\.self) }
}

/// What is to be said of a domain's surroundings. None of it keeps the domain's own links from
/// working.
func surroundingFindings(_ evidence: DomainEvidence) -> [Finding] {
  guard let around = evidence.surroundings else { return [] }
  var findings: [Finding] = []
  if let plain = around.plain, isFile(plain), !isFile(evidence.chosen) {
    findings.append(
      Finding(
        .note, "F053", "the file is there by plain HTTP on port 80, but not by HTTPS", plain,
        help: "serve it by HTTPS: devices and Apple's CDN ask by nothing else"))
  }
  if let sibling = around.sibling, let finding = siblingFinding(sibling, evidence) {
    findings.append(finding)
  }
  if let links = around.assetLinks { findings += assetLinksFindings(links) }
  return findings
}

private func siblingFinding(_ sibling: Exchange, _ evidence: DomainEvidence) -> Finding? {
  let host = sibling.request.host
  // A name that does not exist has no links.
  if case .unresolved = sibling.fault { return nil }
  guard isFile(evidence.chosen) else { return nil }
  if isFile(sibling), let own = evidence.chosen.body, let other = sibling.body {
    if own == other { return nil }
    return Finding(
      .note, "F055", "\(host) serves another file", sibling,
      help: "nothing needs to be done if that is meant: each host has a file of its own")
  }
  let found = sibling.fault.map { _ in "no answer" } ?? "\(whatCame(sibling))"
  return Finding(
    .note, "F054", "\(host) has no file (\(found)): its links do not open the app", sibling,
    help: "if links to \(host) are shared, serve the same file there, without a redirect, and add "
      + "applinks:\(host) to the app")
}

/// What an answer is that is no file, for the end of a sentence.
func whatCame(_ exchange: Exchange) -> String {
  guard let head = exchange.head else { return "no answer" }
  if head.isRedirect { return "a redirect to \(head.value(of: "location") ?? "nowhere")" }
  if head.status != 200 { return "status \(head.status)" }
  return "a web page"
}

private func assetLinksFindings(_ exchange: Exchange) -> [Finding] {
  guard let (head, body) = exchange.response else { return [] }
  if head.isRedirect {
    return [
      Finding(
        .note, "F057", "assetlinks.json redirects, which Android does not follow either", exchange,
        help: "serve it at \(exchange.request.url) itself, or not at all")
    ]
  }
  guard head.status == 200, body.first(where: { $0 > 0x20 }) != UInt8(ascii: "[") else { return [] }
  return [
    Finding(
      .note, "F057", "assetlinks.json, Android's file, is answered with something else", exchange,
      help: "serve a JSON array there, or answer with 404 when there is no app for Android")
  ]
}

extension Surroundings {
  /// What was seen, a few words each, for who looks for more.
  func remarks(_ evidence: DomainEvidence) -> [String] {
    var remarks: [String] = []
    if let plain {
      remarks.append("port 80: " + (plain.fault == nil ? whatCame(plain, "the file") : "closed"))
    }
    if let sibling {
      var words = sibling.fault == nil ? whatCame(sibling, "a file") : "no answer"
      if case .unresolved = sibling.fault { words = "no such name" }
      if isFile(sibling), sibling.body == evidence.chosen.body { words = "the same file" }
      remarks.append("\(sibling.request.host): \(words)")
    }
    if let wildcardRoot {
      let isSame = wildcardRoot.body == evidence.chosen.body
      let words =
        wildcardRoot.fault != nil
        ? "no answer" : whatCame(wildcardRoot, isSame ? "the same file" : "another file")
      remarks.append(
        "\(wildcardRoot.request.host), whose file counts for applinks:*."
          + "\(wildcardRoot.request.host): \(words)")
    }
    if let assetLinks, assetLinks.response?.head.status == 200 {
      remarks.append("assetlinks.json: \(assetLinks.body?.count ?? 0) bytes")
    }
    return remarks
  }

  private func whatCame(_ exchange: Exchange, _ file: String) -> String {
    isFile(exchange) ? file : aasa.whatCame(exchange)
  }
}
