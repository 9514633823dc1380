internal import Catalog
internal import Diagnostics
internal import Issuance
internal import Keeping
internal import Settings
internal import TLS

/// The server's report on one domain, as JSON and as text.
struct DomainReport {
  private let site: Site
  /// The name in the request; nil if this name is the name of the entry itself.
  let askedFor: String?
  let state: HostingStatus.State
  let problem: Problem?
  private let file: ServedFile?
  /// The entry whose association file is served instead of the domain's own file; nil if no other
  /// entry's file is served.
  let standIn: String?
  let certificate: Coverage?
  /// The latest check from outside; nil if there was no such check.
  let outside: OutsideCheck?
  let issuance: HostReport?
  private let times: Times

  /// The certificate that HTTPS clients of a host get.
  enum Coverage {
    case certificate(Certificate)
    case selfSigned
    /// No certificate covers the host, so HTTPS clients are refused.
    case uncovered
  }

  init(_ site: Site, _ document: StatusDocument, askedFor name: String? = nil) {
    let status = document.status
    self.site = site
    let asked = name?.lowercased()
    askedFor = asked == site.name.entryName ? nil : name
    state = status.state(of: site)
    problem = status.problems[site.name]
    if case .served(let served) = site.association { file = served } else { file = nil }
    // Use the requested name if it belongs to this entry, because a listed host can have its own
    // certificate and its own checks from outside.
    let own = asked.flatMap { DomainName(entryName: $0) }.flatMap {
      status.catalog.namedSite($0) === site ? $0 : nil
    }
    standIn = status.catalog.standIn(for: own ?? site.name)?.name.entryName
    certificate = Self.coverage(of: own ?? site.name, status)
    outside = document.checks?[site, own ?? site.name]
    // Look up the requested name first, because it may be an alias of the entry.
    var issuance = asked.flatMap { document.board?[$0] }
    if issuance == nil, case .host(let host) = site.name { issuance = document.board?[host] }
    self.issuance = issuance
    times = Times(now: document.now)
  }

  /// Returns the certificate for the name. Nil if HTTPS is off, if the name is `_default`, or if
  /// the name has no dot. If there are several certificates with different key types, returns the
  /// certificate that expires first.
  private static func coverage(of name: DomainName, _ status: HostingStatus) -> Coverage? {
    guard status.hasHTTPS, name.isDotted else { return nil }
    let host: String
    switch name {
    case .host(let name): host = name
    case .wildcard(let parent): host = "*." + parent
    case .any: return nil
    }
    let found = status.catalog.material?.certificates(for: host) ?? []
    guard let first = found.min(by: { $0.notAfter < $1.notAfter }) else {
      return status.usesSelfSigned ? .selfSigned : .uncovered
    }
    return .certificate(first)
  }

  var name: String { site.name.entryName }
  /// The time of the report, in seconds since 1970.
  var now: Int64 { times.now }

  private var version: String? { file.map { shortVersion($0.content.version) } }

  /// Whether HTTPS clients are refused because no certificate covers the name.
  var isUncovered: Bool { if case .uncovered = certificate { true } else { false } }

  /// Whether the report shows a fault that someone must fix.
  var isBad: Bool { problem?.hasErrors == true || !needs.isEmpty }

  /// What someone must fix, except for the faults in the domain's files.
  private var needs: [String] {
    var needs = state == .served || state == .empty ? [] : [words]
    if case .certificate(let certificate) = certificate, !certificate.isValid(at: times.now) {
      needs += covered.lines
    }
    return needs + (outside?.origin == .failing ? seen.lines : [])
  }

  /// This report as a `SubjectReport`, from which the output formats for build servers are made.
  var subject: SubjectReport {
    .needing(needs, askedFor ?? name, heading, problem?.diagnostics ?? [])
  }

  /// Whether a report on many domains shows this domain in full.
  var isShownInFull: Bool {
    isBad || problem?.diagnostics.isEmpty == false || outside?.isFaulty == true
      || state != .served
  }

  // MARK: The report as JSON

  var json: JSONTree {
    let omitted = problem?.omitted ?? 0
    return JSONTree(
      [
        ("domain", name.json), ("askedFor", askedFor?.json), ("state", state.rawValue.json),
        ("servedFrom", standIn?.json),
      ] + served.members + [
        ("diagnostics", .array((problem?.diagnostics ?? []).map(\.json))),
        ("omittedDiagnostics", omitted > 0 ? omitted.json : nil),
      ] + [covered, fetched, seen, issued].flatMap(\.members))
  }

  // MARK: The one-line report

  func line(_ width: Int) -> String {
    let fetches = site.fetches(of: WellKnownFiles.association)
    // Returns how long ago the last fetch was, for example `14 min ago` or `3 h ago (an older
    // version)`.
    func last(_ fetcher: FetcherClass) -> String {
      guard let fetch = fetches.first(where: { $0.fetcher == fetcher }) else { return "never" }
      let isCurrent = fetch.version == site.version(of: WellKnownFiles.association)
      return times.ago(fetch.time) + (isCurrent ? "" : " (an older version)")
    }
    var line = "\(padded(name, width))  \(version ?? "no file")"
    line += "  CDN \(last(.appleCDN)), devices \(last(.appleDevice))"
    if isUncovered { line += ", no certificate" }
    return line
  }

  // MARK: The full report

  var lines: [String] {
    var lines = [heading]
    lines += facts.prefix(1).map(row) + diagnosticLines(problem, indentation: "  ")
    if let more = problem?.omitted, more > 0 {
      lines.append("  and \(more) more: aasa validate shows all")
    }
    return lines + (facts.dropFirst() + fetchRows).map(row)
  }

  /// The served version, the certificate, the progress of issuing, and the check from outside.
  var facts: [(name: String, text: String)] { [served, covered, issued, seen].flatMap(\.rows) }

  var fetchRows: [(name: String, text: String)] { fetched.rows }

  private func row(_ name: String, _ text: String) -> String {
    "  " + padded(name, 11) + "  " + text
  }

  /// The state of the domain as text.
  var words: String {
    switch state {
    case .served: "served"
    case .flawed: "served, although the file has errors"
    case .lastGood: "the last good version is served, because the file has become faulty"
    case .refused where file != nil:
      "served, but another file of this domain is faulty and is not served"
    case .refused where standIn != nil:
      "REFUSED: the file is faulty; until it is fixed, requests get the file of \(standIn ?? "")"
    case .refused: "REFUSED: the file is faulty, and requests are answered with 503"
    case .empty where standIn != nil:
      "there is no association file, and requests get the file of \(standIn ?? "")"
    case .empty: "there is no association file, and requests are answered with 404"
    }
  }

  private var heading: String {
    guard let askedFor else { return "\(name): \(words)" }
    return "\(askedFor): belongs to \(name)" + (state == .served ? "" : "; \(words)")
  }

  // MARK: Facts of the report

  private var served: Fact {
    let since = "since \(times.moment(site.since))"
    let bytes = file?.content.identity.body.count
    let text = version.map { "\($0), \(since), \(bytes ?? 0) bytes" } ?? "none, \(since)"
    return Fact(
      [
        ("version", version?.json), ("since", site.since.json),
        ("modified", file?.lastModified.json), ("bytes", bytes?.json),
      ], rows: [("version", text)])
  }

  private var covered: Fact {
    let (json, text): (JSONTree, String)
    switch certificate {
    case nil: return Fact()
    case .selfSigned:
      json = ["covered": false, "selfMade": true]
      text = "a self-signed certificate, which devices refuse"
    case .uncovered:
      json = ["covered": false, "selfMade": false]
      text = "no certificate covers this domain: HTTPS clients are refused"
    case .certificate(let found):
      let (start, expiry) = (found.notBefore, found.notAfter)
      json = [
        "covered": true, "file": found.path.json, "kind": found.kind.rawValue.json,
        "notBefore": start.json, "notAfter": expiry.json,
        "days": ((expiry - times.now) / 86_400).json,
      ]
      text =
        found.path
        + (start > times.now
          ? ", NOT YET VALID: clients refuse this certificate until \(Times.date(start)), "
            + "\(times.distance(start))"
          : expiry < times.now
            ? ", EXPIRED \(times.ago(expiry)): clients refuse this certificate"
            : ", expires \(times.distance(expiry)) (\(Times.date(expiry)))")
    }
    return Fact("certificate", json, text)
  }

  private var issued: Fact {
    guard let issuance else { return Fact() }
    let json: JSONTree = [
      "state": issuance.kind.rawValue.json, "ca": issuance.authority.json,
      "profile": issuance.profile?.json, "renewal": issuance.renewal?.json,
      "next": issuance.next.json, "trouble": issuance.trouble?.json,
    ]
    let profile = issuance.profile.map { ", \($0)" } ?? ""
    let words =
      issuance.trouble.map { ": \($0), next check \(times.distance(issuance.next))" }
      ?? issuance.renewal.map { "\(profile), renews \(Times.date($0))" }
      ?? ": a certificate is being requested"
    return Fact("issuance", json, issuance.authority + words)
  }

  /// The result of the check from outside.
  private var seen: Fact {
    guard let outside else { return Fact() }
    let json: JSONTree = [
      "checked": outside.time.json, "origin": outside.origin.rawValue.json,
      "cdn": outside.copy.rawValue.json, "cdnAge": outside.age?.json,
      "fault": outside.fault?.json,
    ]
    var fact = Fact(
      "outside", json, "\(words(outside)), checked \(times.ago(outside.time))")
    if let fault = outside.fault { fact.rows.append(("", "\(fault); aasa check shows more")) }
    return fact
  }

  private var fetched: Fact {
    let (own, links) = (WellKnownFiles.association, WellKnownFiles.assetLinks)
    let fetches = site.fetches(of: own)
    let rows = FetcherClass.allCases.compactMap { fetcher -> (name: String, text: String)? in
      let isApple = fetcher == .appleCDN || fetcher == .appleDevice
      let fetch = fetches.first { $0.fetcher == fetcher }
      guard isApple || fetch != nil else { return nil }
      let name =
        switch fetcher {
        case .appleCDN: "Apple's CDN"
        case .appleDevice: "devices"
        default: fetcher.name
        }
      return (name, fetch.map { text($0, of: own) } ?? "never")
    }
    return Fact(
      [("fetches", json(fetchesOf: own)), ("assetLinksFetches", json(fetchesOf: links))],
      rows: rows
        + site.fetches(of: links).map {
          ("asset links", "\($0.fetcher.name): \(text($0, of: links))")
        })
  }

  private func json(fetchesOf file: Int) -> JSONTree {
    JSONTree(
      site.fetches(of: file).map { fetch in
        let facts: JSONTree = [
          "last": fetch.time.json, "status": fetch.status.json,
          "version": fetch.version == 0 ? nil : shortVersion(fetch.version).json,
          "current": (fetch.version == site.version(of: file)).json, "count": fetch.count.json,
        ]
        return (fetch.fetcher.name, facts)
      })
  }

  func words(_ check: OutsideCheck) -> String {
    let age = check.age.map { " (\(Times.length(Int64($0))) old)" } ?? ""
    let origin =
      switch check.origin {
      case .good: "served as Apple asks"
      case .failing: "NOT SERVED as Apple asks"
      case .unknown: "could not be checked"
      }
    let copy =
      switch check.copy {
      case .same: "Apple's CDN has the same\(age)"
      case .other: "Apple's CDN has ANOTHER VERSION\(age)"
      case .missing: "Apple's CDN has NO FILE"
      case .unknown: "the copy in Apple's CDN is unknown"
      }
    return "\(origin), \(copy)"
  }

  /// Describes a fetch, for example: 2026-11-21 15:58 UTC (14 min ago), the current version, status
  /// 200, 12 times
  private func text(_ fetch: Fetch, of file: Int) -> String {
    let version =
      fetch.version == 0
      ? "nothing to serve"
      : fetch.version == site.version(of: file)
        ? "the current version" : "an older version, \(shortVersion(fetch.version))"
    let count = fetch.count == 1 ? "once" : "\(fetch.count) times"
    return "\(times.moment(fetch.time)), \(version), status \(fetch.status), \(count)"
  }
}

/// Returns the first 12 hexadecimal digits of a file version. The entity tag of this version begins
/// with the same digits.
private func shortVersion(_ version: UInt64) -> String {
  let digits = String(version, radix: 16)
  return String((String(repeating: "0", count: 16 - digits.count) + digits).prefix(12))
}
