internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings
package import TLS

/// The certificates folder, and the folder of the certificates that the server gets by itself. An
/// automatic certificate is not served if the user's certificates cover all its names.
struct CertificateFolders {
  private(set) var own: CertificateLoader
  private(set) var issued: CertificateLoader?

  init(_ options: HostingOptions, root: String) {
    own = CertificateLoader(options, root: root)
    issued = options.issuedCertificates.map { CertificateLoader(Self.forIssued(options), root: $0) }
  }

  /// The options for automatic certificates. Users put no files in that folder, so its absence is
  /// not a mistake.
  private static func forIssued(_ options: HostingOptions) -> HostingOptions {
    var options = options
    options.isCertificatesFolderExpected = false
    options.areCertificatesIssuedHere = true
    options.certificateWarningDays = 0
    return options
  }

  /// Notes the catalog that is served.
  mutating func note(_ catalog: Catalog) { own.catalog = catalog }

  mutating func use(_ options: HostingOptions) {
    own.use(options)
    issued?.use(Self.forIssued(options))
  }

  /// Both folders' work.
  var works: [PatientWork] { [own.work] + (issued.map { [$0.work] } ?? []) }

  var isEmpty: Bool { own.isEmpty && issued?.isEmpty != false }

  // MARK: Looking

  mutating func scan(
    _ names: Set<String>, settled: Set<String> = [], isFinal: Bool = false, isStart: Bool = false
  ) -> Outcome {
    if let issued { own.elsewhere = issued.states.values.compactMap(\.certificate) }
    return inEach { $0.scan(names, settled: settled, isFinal: isFinal, isStart: isStart) }
  }

  /// The outcome of a scan in each folder.
  private mutating func inEach(_ scan: (inout CertificateLoader) -> Outcome) -> Outcome {
    var outcome = scan(&own)
    if var loader = issued.take() {
      outcome += scan(&loader)
      issued = loader
    }
    return outcome
  }

  var holds: [Hold] { own.holds + (issued?.holds ?? []) }

  /// Lets the next scan read every file again.
  mutating func forgetFiles() {
    own.forgetFiles()
    issued?.forgetFiles()
  }

  /// Applies the losses with these IDs at once, if they are held.
  mutating func confirm(_ ids: Set<String>) -> Outcome { inEach { $0.confirm(ids) } }

  // MARK: Over a restart

  var atRisk: [KeptVersions.Wish] { own.atRisk + (issued?.atRisk ?? []) }

  func keptEntry(of chain: String, isIssued: Bool) -> KeptEntry? {
    isIssued ? issued?.keptEntry(of: chain) : own.keptEntry(of: chain)
  }

  mutating func take(_ state: KeptState) {
    own.take(state.certificates)
    issued?.take(state.issued)
  }

  var nextWithdrawal: Int64? {
    [own.nextWithdrawal, issued?.nextWithdrawal].compactMap(\.self).min()
  }

  mutating func withdrawMissing() -> Outcome { inEach { $0.withdrawMissing() } }

  mutating func takeUnwatched() -> [(work: PatientWork, folders: [(name: String, path: String)])] {
    var result = [(own.work, own.takeUnwatched())]
    if let issued = issued?.takeUnwatched(), let work = self.issued?.work {
      result.append((work, issued))
    }
    return result
  }

  mutating func reportDates() -> [Diagnostic] {
    own.reportDates() + (issued?.reportDates() ?? [])
  }

  // MARK: Judging in the background

  var hasBackgroundWork: Bool { own.hasBackgroundWork || issued?.hasBackgroundWork == true }

  mutating func workInBackground(milliseconds: Int64) -> Outcome {
    own.hasBackgroundWork
      ? own.workInBackground(milliseconds: milliseconds)
      : issued?.workInBackground(milliseconds: milliseconds) ?? Outcome()
  }

  // MARK: What is served

  func material(ticketKeys: TicketKeys, selfSigned: Certificate?) -> TLSMaterial {
    guard let issued else { return own.material(ticketKeys: ticketKeys, selfSigned: selfSigned) }
    let covered = CoveredNames(own.served.map(\.certificate))
    let others = issued.served.filter {
      !$0.certificate.names.hosts.allSatisfy(covered.contains)
    }
    return own.material(ticketKeys: ticketKeys, selfSigned: selfSigned, and: others)
  }

  var nextChangeOfDates: Int64? {
    [own.nextChangeOfDates, issued?.nextChangeOfDates].compactMap(\.self).min()
  }

  var summary: CertificateSummary {
    let first = own.summary
    guard let second = issued?.summary, second.total > 0 else { return first }
    return CertificateSummary(
      folder: first.total == 0 ? second.folder : first.folder + " and " + second.folder,
      count: first.count + second.count, total: first.total + second.total,
      names: first.names + second.names,
      firstExpiry: [first.firstExpiry, second.firstExpiry].compactMap(\.self).min())
  }

  // MARK: Status

  /// Increases with every change that a status shows.
  var generation: Int { own.generation + (issued?.generation ?? 0) }

  var statuses: [CertificateStatus] {
    own.statuses
      + (issued?.statuses ?? []).map { status in
        CertificateStatus(
          name: status.name, file: status.file, certificate: status.certificate,
          problem: status.problem, isIssuedHere: true)
      }
  }

  var held: FolderGuard.Reason? { own.folder.held ?? issued?.folder.held }

  var fault: Diagnostic? {
    own.folder.heldDiagnostic ?? own.closed.first ?? issued?.folder.heldDiagnostic
      ?? issued?.closed.first
  }
}

/// The hosts that certificates cover: looked up, because there may be a hundred thousand of them.
package struct CoveredNames: Sendable {
  private var hosts: Set<String> = []
  /// What follows `*.`.
  private var parents: Set<Substring> = []

  package init(_ certificates: [Certificate]) {
    for name in certificates.flatMap(\.names.hosts) {
      if name.hasPrefix("*.") { parents.insert(name.dropFirst(2)) } else { hosts.insert(name) }
    }
  }

  /// - Parameter host: In lower case; a wildcard is covered by the same wildcard only.
  package func contains(_ host: String) -> Bool {
    if hosts.contains(host) { return true }
    guard let dot = host.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
    return parents.contains(host[host.utf8.index(after: dot)...])
  }
}
