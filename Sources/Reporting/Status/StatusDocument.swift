package import Catalog
internal import Diagnostics
internal import HTTP
package import Issuance
package import Keeping
internal import Posix
package import Server
internal import Settings
internal import TLS

/// `/status`: the server's state as a JSON object, or as text for `aasa status`. Other programs may
/// read the JSON object: the keys of this object never change. All times are in seconds since 1970.
package struct StatusDocument {
  let status: HostingStatus
  /// Why the server is not ready; empty if it is ready.
  let obstacles: [String]
  /// Why the server is not ready for HTTPS while hosts wait for their first certificates (see
  /// `Health.missingCertificate`).
  var missingCertificate: String?
  /// Returns the time, in seconds since 1970, at which a class of fetcher last fetched the file of
  /// any domain.
  let lastFetch: (FetcherClass) -> Int64?
  let checks: OutsideChecks?
  let board: StatusBoard?
  let started: Int64
  let now: Int64
  /// Why the next start of the server would fail; nil if it would not fail.
  let settingsFault: String?
  /// The limit on connections; nil until the server has loaded its files.
  let connectionLimit: ConnectionLimit?
  /// The state folder of automatic certificates; nil if the server has no automatic certificates.
  let acmeState: String?
  /// The absolute path of the state folder, where `aasa confirm` writes its file; nil if the server
  /// has no state folder.
  var stateFolder: String?

  package init(
    status: HostingStatus, obstacles: [String], missingCertificate: String? = nil,
    lastFetch: @escaping (FetcherClass) -> Int64?, checks: OutsideChecks?, board: StatusBoard?,
    started: Int64, now: Int64, settingsFault: String?, connectionLimit: ConnectionLimit?,
    acmeState: String?,
    stateFolder: String? = nil
  ) {
    self.status = status
    self.obstacles = obstacles
    self.missingCertificate = missingCertificate
    self.lastFetch = lastFetch
    self.checks = checks
    self.board = board
    self.started = started
    self.now = now
    self.settingsFault = settingsFault
    self.connectionLimit = connectionLimit
    self.acmeState = acmeState
    self.stateFolder = stateFolder
  }

  /// The maximum number of domains in a report.
  package static let mostDomains = 1000
  /// The default number of domains in a report.
  static let usualDomains = 100
  /// The maximum number of domains that a request can list.
  package static let namedDomains = 20
  /// The response header field that says whether the requested part of the report shows a fault
  /// that someone must fix. The field's value is `faulty` or `good`.
  package static let stateField = "Aasa-State"

  /// A requested name and its report. The report is nil if no entry serves the name.
  typealias Domain = (name: String, report: DomainReport?)

  package func answer(to request: PageRequest) -> PageAnswer {
    let names = request.values(of: "domain")
    if names.count > Self.namedDomains {
      return PageAnswer(.badRequest, text: "ask for at most \(Self.namedDomains) domains at once")
    }
    var limit = Self.usualDomains
    if let text = request.values(of: "limit").last {
      guard let number = Int(text), (0...Self.mostDomains).contains(number) else {
        return PageAnswer(.badRequest, text: "limit must be a number from 0 to \(Self.mostDomains)")
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
    guard let format = OutputFormat(rawValue: request.values(of: "format").last ?? "json") else {
      return PageAnswer(.badRequest, text: "format is \(OutputFormat.words)")
    }
    let address = request.field("host") ?? "this address"
    let body = subjects(domains, areNamed: areNamed, at: address).rendered(
      as: format, of: "status", failing: .error,
      text: text(domains, areNamed: areNamed, at: address) + "\n",
      json: "\(json(domains, areNamed: areNamed))\n")
    var answer = PageAnswer(
      contentType: format == .json ? "application/json" : "text/plain; charset=utf-8",
      Array(body.utf8))
    answer.fields.append((Self.stateField, isGood(domains, areNamed: areNamed) ? "good" : "faulty"))
    return answer
  }

  /// Returns the entry with this name. If there is no such entry and the name is a host, returns
  /// the entry that serves this host.
  func site(of name: String) -> Site? {
    guard let domain = DomainName(entryName: name.lowercased()) else { return nil }
    if let own = status.catalog.namedSite(domain) { return own }
    guard case .host(let host) = domain else { return nil }
    return status.catalog.site(for: host)
  }

  /// Returns whether the requested part of the report shows no fault that someone must fix.
  func isGood(_ domains: [Domain], areNamed: Bool) -> Bool {
    domains.allSatisfy { $0.report?.isBad == false }
      && (areNamed ? obstacles.isEmpty : isGood(status.counts))
  }

  /// Returns whether the whole report shows no fault that someone must fix.
  func isGood(_ counts: HostingStatus.Counts) -> Bool {
    obstacles.isEmpty && settingsFault == nil && areFilesGood(counts) && status.holds.isEmpty
      && faultyCertificates.isEmpty && checks?.counts(of: status.catalog).failing ?? 0 == 0
  }

  /// Whether the current files of all domains are served.
  func areFilesGood(_ counts: HostingStatus.Counts) -> Bool {
    areServed(counts) && folderFaults.isEmpty
  }

  func areServed(_ counts: HostingStatus.Counts) -> Bool {
    counts.allSatisfy { state, count in count == 0 || state == .served || state == .empty }
  }

  /// The diagnostics of folders: changes that do not take effect now, folders that could not be
  /// read, and reads that hang.
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

  /// The time in seconds that the server needs to check every listed host once; nil if there are no
  /// lists of hosts.
  var listedRound: Int64? {
    let count = status.catalog.lists.reduce(0) { $0 + $1.count }
    return count == 0 ? nil : Int64(count) * OutsideChecks.pauseBetweenListed / 1000
  }

  // MARK: The status as JSON

  private func json(_ domains: [Domain], areNamed: Bool) -> JSONTree {
    let list = domains.map { name, report in
      report?.json ?? ["domain": name.json, "state": "unknown"]
    }
    let omitted = areNamed ? nil : (status.catalog.sites.count - domains.count).json
    return JSONTree(members + [("list", .array(list)), ("omitted", omitted)])
  }
}
