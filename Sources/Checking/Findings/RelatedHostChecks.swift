internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import HTTP
internal import Posix
internal import TLS

/// The answers of the parent domain and of the www domain, the answer over plain HTTP, and the
/// answers for other well-known files. People easily confuse these files with the domain's own
/// association file.
package struct RelatedHostChecks {
  /// The answer for the association file's path over plain HTTP.
  let plain: Exchange?
  /// The answer of the host that has `www.` added to or removed from the name. Nil if
  /// `sibling(of:)` returns no such host.
  let sibling: Exchange?
  /// The answer of the parent domain, whose file can apply to all its subdomains. Nil if the domain
  /// begins with `www.`, or if the parent is a top-level domain.
  let wildcardRoot: Exchange?
  /// The answer for `assetlinks.json`.
  let assetLinks: Exchange?
  /// The answer for `robots.txt`; nil if the host serves no `assetlinks.json`.
  let robots: Exchange?
  /// The answers for the files in `watchedWellKnownFiles`.
  let others: [WellKnownAnswer]

  /// Makes all requests. The requests ignore the port of `target`, and the address `origin` of the
  /// settings.
  init(_ target: HostTarget, _ client: ClientSettings) {
    let path = associationPaths[0]
    let host = target.host
    let requests = [
      FetchRequest(.http, host: host, path: path),
      Self.sibling(of: host).flatMap { FetchRequest(host: $0, path: path) },
      Self.wildcardRoot(of: host).flatMap { FetchRequest(host: $0, path: path) },
    ]
    let count = requests.count + 1
    let all = inParallel(count, slice: 1, threads: count) { range in
      range.map { index in
        index < requests.count
          ? Part.exchange(requests[index].map { client.fetch($0, isOwn: false) })
          : .files(OtherFiles(of: host, client))
      }
    }.flatMap(\.self)
    let answers = all.map(\.exchange)
    plain = answers[0]
    sibling = answers[1]
    wildcardRoot = answers[2]
    let files = all.compactMap(\.files).first
    assetLinks = files?.assetLinks
    others = files?.others ?? []
    robots = files?.robots
  }

  /// What one thread returns: one answer, or the answers for several files.
  private enum Part: Sendable {
    case exchange(Exchange?)
    case files(OtherFiles)

    var exchange: Exchange? { if case .exchange(let exchange) = self { exchange } else { nil } }
    var files: OtherFiles? { if case .files(let files) = self { files } else { nil } }
  }

  /// The answers for files of the host other than the association file.
  private struct OtherFiles: Sendable {
    let assetLinks: Exchange?
    let robots: Exchange?
    let others: [WellKnownAnswer]

    init(of host: String, _ client: ClientSettings) {
      let links = FetchRequest(host: host, path: "/.well-known/assetlinks.json")
      let answers =
        inSuccession(1 + watchedWellKnownFiles.count) { index, kept in
          index == 0
            ? (links.map { client.fetch($0, isOwn: false, keeping: kept) }, nil)
            : (
              nil,
              WellKnownAnswer(watchedWellKnownFiles[index - 1], of: host, client, keeping: kept)
            )
        } as [(exchange: Exchange?, other: WellKnownAnswer?)]
      assetLinks = answers[0].exchange
      others = answers.compactMap(\.other)
      robots =
        assetLinks?.response?.head.status == 200
        ? FetchRequest(host: host, path: "/robots.txt").map { client.fetch($0, isOwn: false) } : nil
    }
  }

  /// If a name begins with `www.`, returns the name without `www.`. If another name has two labels,
  /// returns the name with `www.` added. Otherwise returns nil.
  package static func sibling(of host: String) -> String? {
    if host.hasPrefix("www.") { return String(host.dropFirst(4)) }
    return host.count(where: { $0 == "." }) == 1 ? "www." + host : nil
  }

  /// Returns the parent domain of a subdomain. Nil if the subdomain begins with `www.`, or if the
  /// parent is a top-level domain.
  package static func wildcardRoot(of host: String) -> String? {
    guard !host.hasPrefix("www."), host.count(where: { $0 == "." }) > 1,
      let dot = host.firstIndex(of: ".")
    else { return nil }
    return String(host[host.index(after: dot)...])
  }

  var exchanges: [Exchange] {
    [plain, sibling, wildcardRoot, assetLinks, robots].compactMap(\.self) + others.map(\.exchange)
  }
}

/// Returns findings about related hosts and files. Faults of these hosts and files do not keep
/// links to the domain itself from opening the app.
func vicinityFindings(_ evidence: DomainEvidence) -> [Finding] {
  guard let around = evidence.relatedHosts else { return [] }
  var findings: [Finding] = []
  if let plain = around.plain, isFile(plain), !isFile(evidence.chosen) {
    findings.append(
      Finding(.plainOnly, "the file is served by plain HTTP on port 80, but not by HTTPS", plain))
  }
  if let sibling = around.sibling, let finding = siblingFinding(sibling, evidence) {
    findings.append(finding)
  }
  if let links = around.assetLinks {
    findings += assetLinksFindings(links) + robotFindings(around.robots)
  }
  findings += around.others.flatMap(wellKnownFindings)
  return findings
}

private func siblingFinding(_ sibling: Exchange, _ evidence: DomainEvidence) -> Finding? {
  let host = sibling.request.host
  // If the host does not exist, nobody uses links to the host.
  if case .unresolved = sibling.fault { return nil }
  guard isFile(evidence.chosen) else { return nil }
  if let fault = sibling.trustFault {
    return Finding(
      .siblingWithoutFile,
      "devices refuse the connection to \(host) (\(fault)): links to this host do not open the app",
      sibling,
      help: "if links to \(host) are shared: " + fault.help)
  }
  if isFile(sibling), let own = evidence.chosen.body, let other = sibling.body {
    if own == other { return nil }
    return Finding(
      .siblingDiffers, "\(host) and \(evidence.target.host) serve different files", sibling)
  }
  let found = sibling.fault.map { _ in "no answer" } ?? "\(responseSummary(sibling))"
  return Finding(
    .siblingWithoutFile, "\(host) has no file (\(found)): links to this host do not open the app",
    sibling,
    help: "if links to \(host) are shared, serve the same file at \(host), without a redirect, "
      + "and add applinks:\(host) to the app")
}

extension Exchange {
  /// Why devices refuse the server's certificate. Nil if devices accept the certificate, or if the
  /// connection does not use TLS.
  var trustFault: TrustFault? { tls?.verification.faults.first }
}

/// Describes an answer in words for the end of a sentence, such as `status 500` or `a web page`.
///
/// - Parameter file: The words for an answer with an association file.
func responseSummary(_ exchange: Exchange, _ file: String = "a file") -> String {
  if isFile(exchange) { return file }
  guard let head = exchange.head else { return "no answer" }
  if head.isRedirect { return "a redirect to \(head.value(of: "location") ?? "nowhere")" }
  if head.status != 200 { return "status \(head.status)" }
  return exchange.body.map(isText) == true ? "text" : "a web page"
}

extension RelatedHostChecks {
  /// Returns observations for the detailed report, each a few words long. These observations are
  /// not faults.
  func remarks(_ evidence: DomainEvidence) -> [String] {
    var remarks: [String] = []
    if let plain {
      remarks.append(
        "port 80: " + (plain.fault == nil ? responseSummary(plain, "the file") : "closed"))
    }
    if let sibling {
      var words = sibling.fault == nil ? responseSummary(sibling, "a file") : "no answer"
      if case .unresolved = sibling.fault { words = "no such name" }
      if isFile(sibling), sibling.body == evidence.chosen.body { words = "the same file" }
      if sibling.trustFault != nil { words = "a certificate that devices refuse" }
      remarks.append("\(sibling.request.host): \(words)")
    }
    if let wildcardRoot {
      let isSame = wildcardRoot.body == evidence.chosen.body
      let words =
        wildcardRoot.fault != nil
        ? "no answer"
        : wildcardRoot.trustFault != nil
          ? "a certificate that devices refuse"
          : responseSummary(wildcardRoot, isSame ? "the same file" : "another file")
      remarks.append(
        "\(wildcardRoot.request.host), whose file applies to applinks:*."
          + "\(wildcardRoot.request.host): \(words)")
    }
    if let assetLinks, assetLinks.response?.head.status == 200 {
      remarks.append("assetlinks.json: \(assetLinks.body?.count ?? 0) bytes")
    }
    return remarks
  }

}

extension Kind {
  static let plainOnly = Kind(
    "F053", "plain-only", "the file is served on port 80 and not on port 443",
    "devices and Apple's CDN use HTTPS only", trustedSource, severity: .note,
    fix: "serve it by HTTPS")

  static let siblingWithoutFile = Kind(
    "F054", "sibling-without-file", "only one of www and the bare domain has the file",
    "Apple treats www and the bare domain as different hosts: links to the host without the file "
      + "do not open the app",
    "each host needs its own file (grade D)", severity: .note,
    fix:
      "if links to both hosts are shared, serve the file at both hosts, without a redirect, and "
      + "list both hosts in the app as applinks:HOST")

  static let siblingDiffers = Kind(
    "F055", "sibling-differs", "www and the bare domain serve different files",
    "the same link opens the app on one host and not on the other", nil, severity: .note,
    fix: "serve the same file at both hosts, unless the difference is intended")

  static let surroundingKinds: [Kind] =
    [.plainOnly, .siblingWithoutFile, .siblingDiffers] + assetLinksKinds + wellKnownKinds
    + linkKinds
}

/// Makes requests to one server one after another over one connection, because a new connection's
/// handshake takes longer than a request. If the server is slow, makes the remaining requests in
/// parallel.
///
/// - Parameters:
///   - count: The number of requests.
///   - milliseconds: The time after which the remaining requests are made in parallel.
///   - ask: Makes one request. Its arguments are the index of the request, and the connection to
///     use. If the connection is nil, opens a new connection.
func inSuccession<Result: Sendable>(
  _ count: Int, within milliseconds: Int64 = CheckLimits.succession,
  _ ask: @escaping @Sendable (Int, KeptConnection?) -> Result
) -> [Result] {
  let kept = KeptConnection()
  let start = Clock.monotonicMilliseconds()
  var results: [Result] = []
  while results.count < count, Clock.monotonicMilliseconds() - start < milliseconds {
    results.append(ask(results.count, kept))
  }
  let done = results.count
  return results
    + inParallel(count - done, slice: 1, threads: count - done) { range in
      range.map { ask(done + $0, nil) }
    }.flatMap(\.self)
}
