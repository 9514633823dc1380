internal import Catalog
internal import Diagnostics
internal import HTTP
internal import Issuance
internal import Keeping
internal import Posix
internal import Server
internal import Settings
internal import TLS

/// `/status`: the server's state as one JSON object, or as text for `aasa status`. Programs may
/// read the object: its names do not change, and its times are seconds since 1970.
struct StatusDocument {
  let status: HostingStatus
  /// Why the server is not ready; empty if it is.
  let obstacles: [String]
  /// Returns when a class of fetchers last fetched a domain's file, in seconds since 1970.
  let lastFetch: (FetcherClass) -> Int64?
  let checks: OutsideChecks?
  let board: StatusBoard?
  let started: Int64
  let now: Int64
  /// Why the next start would fail.
  let settingsFault: String?
  /// The maximum number of connections and its reason; nil until the files are loaded.
  let room: ConnectionRoom?
  /// The state folder of automatic certificates; nil without them.
  let acmeState: String?

  /// The maximum number of domains in a report.
  static let mostDomains = 1000
  /// The number of domains in a report, unless the request asks for another one.
  static let usualDomains = 100
  /// The maximum number of domains that a request can name.
  static let namedDomains = 20
  /// The field that says whether anything needs to be fixed in the requested part: `good` or
  /// `faulty`.
  static let stateField = "Aasa-State"

  /// A requested name and its report; nil if no entry serves the name.
  typealias Domain = (name: String, report: DomainReport?)

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
    let areNamed = !names.isEmpty
    let domains: [Domain] =
      areNamed
      ? names.map { name in
        (name, site(of: name).map { DomainReport($0, self, askedFor: name) })
      }
      : ProblemsFirst(status, checks, now: now).choose(limit).map { site in
        (site.name.entryName, DomainReport(site, self))
      }
    var answer: PageAnswer
    switch request.values(of: "format").last ?? "json" {
    case "json":
      let object = json(domains, areNamed: areNamed) + "\n"
      answer = PageAnswer(contentType: "application/json", Array(object.utf8))
    case "text":
      let address = request.field("host") ?? "this address"
      answer = PageAnswer(text: text(domains, areNamed: areNamed, at: address))
    default: return PageAnswer(.badRequest, text: "format is json or text")
    }
    answer.fields.append((Self.stateField, isGood(domains, areNamed: areNamed) ? "good" : "faulty"))
    return answer
  }

  /// Returns the entry with this name, or the entry that serves a host with this name.
  private func site(of name: String) -> Site? {
    guard let domain = DomainName(entryName: name.lowercased()) else { return nil }
    if let own = status.catalog.namedSite(domain) { return own }
    guard case .host(let host) = domain else { return nil }
    return status.catalog.site(for: host)
  }

  /// Whether nothing must be fixed in the requested part.
  func isGood(_ domains: [Domain], areNamed: Bool) -> Bool {
    let areDomainsGood = domains.allSatisfy { $0.report?.isBad == false }
    if !obstacles.isEmpty || !areDomainsGood { return false }
    return areNamed
      || settingsFault == nil && areFilesGood && status.holds.isEmpty
        && faultyCertificates.isEmpty && checks?.counts(of: status.catalog).failing ?? 0 == 0
  }

  /// Whether the current files of all domains are served.
  var areFilesGood: Bool {
    let areServed = status.counts.allSatisfy { state, count in
      count == 0 || state == .served || state == .empty
    }
    return areServed && folderFaults.isEmpty
  }

  /// Why changes in a folder are held back, or why a folder or a file in it could not be read.
  var folderFaults: [Diagnostic] {
    [status.folderFault, status.hasHTTPS ? status.certificateFault : nil].compactMap(\.self)
      + status.hangs
  }

  var faultyCertificates: [CertificateStatus] {
    status.hasHTTPS ? status.certificates.filter { $0.problem?.hasErrors == true } : []
  }

  var firstToExpire: (file: String, time: Int64)? {
    status.certificates.compactMap { entry in
      entry.certificate.map { (file: entry.file, time: $0.notAfter) }
    }.min { $0.time < $1.time }
  }

  /// Seconds for checking every listed host once; nil if there are no lists.
  var listedRound: Int64? {
    let count = status.catalog.lists.reduce(0) { $0 + $1.count }
    return count == 0 ? nil : Int64(count) * OutsideChecks.pauseBetweenListed / 1000
  }

  // MARK: JSON

  private func json(_ domains: [Domain], areNamed: Bool) -> String {
    let list = domains.map { name, report in
      report?.json ?? jsonObject([("domain", jsonString(name)), ("state", jsonString("unknown"))])
    }
    let omitted = areNamed ? nil : String(status.catalog.sites.count - domains.count)
    return jsonObject(summary + [("list", jsonArray(list)), ("omitted", omitted)])
  }

  private var summary: [(String, String?)] {
    let reloads = status.reloads
    return [
      ("program", jsonString("aasa \(programVersion)")), ("now", String(now)),
      ("started", String(started)), ("ready", obstacles.isEmpty ? "true" : "false"),
      ("notReady", jsonArray(obstacles.map(jsonString))),
      ("settingsFault", settingsFault.map(jsonString)),
      (
        "connections",
        room.map {
          jsonObject([("most", String($0.most)), ("because", jsonString($0.because))])
        }
      ),
      ("folder", jsonString(status.folder)),
      ("folderFault", status.folderFault.map { jsonString($0.line) }),
      ("hanging", jsonArray(status.hangs.map { jsonString($0.line) })),
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
            (fetcher.name, lastFetch(fetcher).map { String($0) })
          })
      ),
      ("outside", checks.map { json($0.counts(of: status.catalog)) }),
      ("issuance", board.map { json($0.summary) }),
      ("acmeState", acmeState.map(jsonString)),
    ]
  }

  private func json(_ counts: OutsideChecks.Counts) -> String {
    jsonObject([
      ("good", String(counts.good)), ("originFailing", String(counts.failing)),
      ("cdnDiffers", String(counts.copyDiffers)), ("unknown", String(counts.unknown)),
      ("listedRound", listedRound.map { String($0) }),
    ])
  }

  private func json(_ summary: StatusBoard.Summary) -> String {
    jsonObject([
      ("issuer", summary.isIssuer ? "true" : "false"),
      ("account", summary.account.map(jsonString)),
      (
        "hosts",
        jsonObject(HostReport.Kind.allCases.map { ($0.rawValue, String(summary.counts[$0] ?? 0)) })
      ),
    ])
  }

  private var certificates: String {
    let faulty = faultyCertificates
    return jsonObject([
      ("count", String(status.certificates.count { $0.certificate != nil })),
      ("selfMade", status.usesSelfSigned ? "true" : "false"),
      ("folderFault", status.certificateFault.map { jsonString($0.line) }),
      ("firstExpiry", firstToExpire.map { String($0.time) }),
      ("firstToExpire", firstToExpire.map { jsonString($0.file) }),
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
}
