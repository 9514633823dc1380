internal import Catalog
internal import Diagnostics
internal import HTTP
internal import Issuance
internal import Keeping
internal import Posix
internal import Server
internal import Settings
internal import TLS

/// `/status`: the server's state as one JSON object. `aasa status` reads it, and other programs
/// may: names do not change, times are seconds since 1970.
struct StatusDocument {
  private let status: HostingStatus
  private let health: Health
  private let fetches: MetricsSnapshot
  private let checks: OutsideChecks?
  private let board: StatusBoard?
  private let started: Int64
  private let now: Int64
  private let settingsFault: String?

  /// The most domains in a report, and the default limit.
  static let mostDomains = 1000
  static let usualDomains = 100
  /// The most domains that a request can name.
  static let namedDomains = 20

  init(
    _ status: HostingStatus, _ health: Health, _ fetches: MetricsSnapshot,
    _ checks: OutsideChecks?, _ board: StatusBoard?, started: Int64, now: Int64,
    settingsFault: String?
  ) {
    self.status = status
    self.health = health
    self.fetches = fetches
    self.checks = checks
    self.board = board
    self.started = started
    self.now = now
    self.settingsFault = settingsFault
  }

  func answer(to request: PageRequest) -> PageAnswer {
    let names = request.values(of: "domain")
    if names.count > Self.namedDomains {
      return PageAnswer(.badRequest, text: "ask for at most \(Self.namedDomains) domains at once")
    }
    var limit = Self.usualDomains
    if let text = request.values(of: "limit").last {
      guard let number = Int(text), (0...Self.mostDomains).contains(number) else {
        return PageAnswer(.badRequest, text: "limit is a number from 0 to \(Self.mostDomains)")
      }
      limit = number
    }
    return PageAnswer(
      contentType: "application/json", Array((json(names: names, limit: limit) + "\n").utf8))
  }

  private func json(names: [String], limit: Int) -> String {
    var members = summary
    if names.isEmpty {
      let chosen = ProblemsFirst(status, checks, now: now).choose(limit)
      members.append(("list", jsonArray(chosen.map { json($0, askedFor: nil) })))
      members.append(("omitted", String(status.catalog.sites.count - chosen.count)))
    } else {
      let list = names.map { name in
        site(of: name).map { json($0, askedFor: name) }
          ?? jsonObject([("domain", jsonString(name)), ("state", jsonString("unknown"))])
      }
      members.append(("list", jsonArray(list)))
    }
    return jsonObject(members)
  }

  /// The entry with this name, or the entry that serves a host with this name.
  private func site(of name: String) -> Site? {
    guard let domain = DomainName(entryName: name.lowercased()) else { return nil }
    if let own = status.catalog.namedSite(domain) { return own }
    guard case .host(let host) = domain else { return nil }
    return status.catalog.site(for: host)
  }

  private var summary: [(String, String?)] {
    let obstacles = health.obstacles()
    let reloads = status.reloads
    return [
      ("program", jsonString("aasa \(programVersion)")), ("now", String(now)),
      ("started", String(started)), ("ready", obstacles.isEmpty ? "true" : "false"),
      ("notReady", jsonArray(obstacles.map(jsonString))),
      ("settingsFault", settingsFault.map(jsonString)),
      ("folder", jsonString(status.folder)),
      ("folderFault", status.folderFault.map { jsonString($0.line) }),
      (
        "holds",
        jsonArray(
          status.holds.map { hold in
            jsonObject([("id", jsonString(hold.id)), ("fault", jsonString(hold.fault.line))])
          })
      ),
      ("hosts", String(status.catalog.hostCount)),
      ("unkept", String(status.unkept)),
      ("keptCertificates", String(status.keptCertificates)),
      ("domains", jsonObject(status.counts.map { ($0.state.rawValue, String($0.count)) })),
      (
        "reloads",
        jsonObject([
          ("successes", String(reloads.successes)), ("failures", String(reloads.failures)),
          ("lastSuccessful", reloads.isLastSuccessful ? "true" : "false"),
          ("lastSuccess", reloads.lastSuccess.map { String($0) }),
          ("lastFailure", reloads.lastFailure.map { String($0) }),
        ])
      ),
      ("certificates", status.hasHTTPS ? certificates : nil),
      (
        "lastFetches",
        jsonObject(
          FetcherClass.allCases.map { fetcher in
            (fetcher.name, fetches.lastFetch(fetcher).map { String($0) })
          })
      ),
      ("outside", checks.map { json($0.counts(of: status.catalog)) }),
      ("issuance", board?.json),
    ]
  }

  private func json(_ counts: OutsideChecks.Counts) -> String {
    jsonObject([
      ("good", String(counts.good)), ("originFailing", String(counts.failing)),
      ("cdnDiffers", String(counts.copyDiffers)), ("unknown", String(counts.unknown)),
      ("listedRound", listedRound.map { String($0) }),
    ])
  }

  /// Seconds for checking every listed host once; nil if there are no lists.
  private var listedRound: Int64? {
    let count = status.catalog.lists.reduce(0) { $0 + $1.count }
    return count == 0 ? nil : Int64(count) * OutsideChecks.pauseBetweenListed / 1000
  }

  private func json(_ check: OutsideCheck) -> String {
    jsonObject([
      ("checked", String(check.time)), ("origin", jsonString(check.origin.rawValue)),
      ("cdn", jsonString(check.copy.rawValue)), ("cdnAge", check.age.map { String($0) }),
      ("fault", check.fault.map(jsonString)),
    ])
  }

  private var certificates: String {
    let served = status.certificates.compactMap(\.certificate)
    let first = status.certificates.filter { $0.certificate != nil }.min {
      $0.certificate?.notAfter ?? .max < $1.certificate?.notAfter ?? .max
    }
    let faulty = status.certificates.filter { $0.problem?.hasErrors == true }
    return jsonObject([
      ("count", String(served.count)), ("selfMade", status.usesSelfSigned ? "true" : "false"),
      ("folderFault", status.certificateFault.map { jsonString($0.line) }),
      ("firstExpiry", first?.certificate.map { String($0.notAfter) }),
      ("firstToExpire", first.map { jsonString($0.file) }),
      ("faulty", String(faulty.count)),
      (
        "faults",
        jsonArray(
          faulty.prefix(Self.namedDomains).map { entry in
            jsonObject([
              ("file", jsonString(entry.file)),
              ("isLastGoodServed", entry.problem?.isLastGood == true ? "true" : "false"),
              ("isServed", entry.certificate == nil ? "false" : "true"),
              ("diagnostics", jsonArray((entry.problem?.diagnostics ?? []).map(\.json))),
            ])
          })
      ),
    ])
  }

  // MARK: One domain

  private func json(_ site: Site, askedFor name: String?) -> String {
    let problem = status.problems[site.name]
    // A listed host has its own certificate and its own checks from outside.
    let asked = name.flatMap { DomainName(entryName: $0.lowercased()) }
    let host = asked.flatMap { status.catalog.namedSite($0) === site ? $0 : nil } ?? site.name
    var file: ServedFile?
    if case .served(let served) = site.association { file = served }
    return jsonObject([
      ("domain", jsonString(site.name.entryName)),
      (
        "askedFor",
        name.flatMap { $0.lowercased() == site.name.entryName ? nil : jsonString($0) }
      ),
      ("state", jsonString(status.state(of: site).rawValue)),
      ("version", file.map { jsonString(shortVersion($0.content.version)) }),
      ("since", String(site.since)), ("modified", file.map { String($0.lastModified) }),
      ("bytes", file.map { String($0.content.identity.body.count) }),
      ("diagnostics", jsonArray((problem?.diagnostics ?? []).map(\.json))),
      ("omittedDiagnostics", problem.flatMap { $0.omitted > 0 ? String($0.omitted) : nil }),
      ("certificate", certificate(of: host)),
      ("fetches", fetches(of: WellKnownFiles.association, site)),
      ("assetLinksFetches", fetches(of: WellKnownFiles.assetLinks, site)),
      ("outside", checks?[site, host].map { json($0) }),
      ("issuance", issuance(of: site.name, askedFor: name)),
    ])
  }

  /// The issuance state of the requested host, which may be an alias.
  private func issuance(of name: DomainName, askedFor asked: String?) -> String? {
    if let asked, let found = board?.json(of: asked.lowercased()) { return found }
    guard case .host(let host) = name else { return nil }
    return board?.json(of: host)
  }

  /// The certificate for the name; of several key types, the one that expires first. Nil without
  /// HTTPS.
  private func certificate(of name: DomainName) -> String? {
    guard status.hasHTTPS, name.isDotted else { return nil }
    let host: String
    switch name {
    case .host(let name): host = name
    case .wildcard(let parent): host = "*." + parent
    case .any: return nil
    }
    let found = status.catalog.material?.certificates(for: host) ?? []
    guard let first = found.min(by: { $0.notAfter < $1.notAfter }) else {
      return jsonObject([
        ("covered", "false"), ("selfMade", status.usesSelfSigned ? "true" : "false"),
      ])
    }
    return jsonObject([
      ("covered", "true"), ("file", jsonString(first.path)),
      ("kind", jsonString(first.kind.rawValue)),
      ("notBefore", String(first.notBefore)), ("notAfter", String(first.notAfter)),
      ("days", String((first.notAfter - now) / 86_400)),
    ])
  }

  private func fetches(of file: Int, _ site: Site) -> String {
    jsonObject(
      site.fetches(of: file).map { fetch in
        (
          fetch.fetcher.name,
          jsonObject([
            ("last", String(fetch.time)), ("status", String(fetch.status)),
            ("version", fetch.version == 0 ? nil : jsonString(shortVersion(fetch.version))),
            ("current", fetch.version == site.version(of: file) ? "true" : "false"),
            ("count", String(fetch.count)),
          ])
        )
      })
  }
}

/// The beginning of the digest in hexadecimal: the same as in the entity tag.
private func shortVersion(_ version: UInt64) -> String {
  let digits = String(version, radix: 16)
  return String((String(repeating: "0", count: 16 - digits.count) + digits).prefix(12))
}
