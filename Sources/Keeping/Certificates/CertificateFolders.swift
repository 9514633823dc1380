internal import Diagnostics
internal import Settings
package import TLS

/// The user's certificates folder, and the folder of automatic certificates. An automatic
/// certificate is not served if the user's certificates cover all its names.
struct CertificateFolders {
  /// The folders. The first one is the user's folder.
  var all: [CertificateRunner]

  init(_ options: HostingOptions, root: String) {
    all = [CertificateRunner(CertificateKeeper(options, root: root))]
    if let issued = options.issuedCertificates {
      let keeper = CertificateKeeper(Self.options(options, of: 1), root: issued)
      all.append(CertificateRunner(keeper))
    }
  }

  /// Returns the options for the folder at an index. The user's folder has index 0. The folder of
  /// automatic certificates need not exist yet: the issuer makes it.
  private static func options(_ options: HostingOptions, of index: Int) -> HostingOptions {
    if index == 0 { return options }
    var options = options
    options.isCertificatesFolderExpected = false
    options.areCertificatesIssuedHere = true
    options.certificateWarningDays = 0
    return options
  }

  mutating func use(_ options: HostingOptions) {
    for index in all.indices { all[index].keeper.use(Self.options(options, of: index)) }
  }

  /// Makes the next scan read every file again.
  mutating func forgetFiles() { for index in all.indices { all[index].keeper.forgetFiles() } }

  /// Gives the keeper of the user's folder the certificates that the last run kept. The issuer
  /// itself restores automatic certificates.
  mutating func take(_ run: LastRun) {
    all[0].keeper.take(run.certificates, at: .now())
  }

  // MARK: Scanning the folders

  /// Searches the folders, and reads files that are new, have changed, or belong to the names of
  /// the pass.
  mutating func scan(_ pass: Pass<String> = Pass(isWhole: true)) -> Outcome {
    all[0].keeper.elsewhere = all.dropFirst().flatMap {
      $0.keeper.items.values.compactMap(\.certificate)
    }
    return inEach { $0.run(.due(pass)) }
  }

  /// Runs `work` on each folder.
  mutating func inEach(_ work: (inout CertificateRunner) -> Outcome) -> Outcome {
    var outcome = Outcome()
    for index in all.indices { outcome += work(&all[index]) }
    return outcome
  }

  var nextWithdrawal: Int64? { all.compactMap(\.keeper.nextWithdrawal).min() }
  var hasBackgroundWork: Bool { all.contains { $0.hasBackgroundWork } }

  // MARK: TLS material

  /// The TLS material for new sessions.
  func material(
    ticketKeys: TicketKeys, selfSigned: Certificate?, at now: Moment
  ) -> TLSMaterial {
    let served = all[0].keeper.served
    let covered = CoveredNames(served.map(\.certificate))
    let others = all.dropFirst().flatMap(\.keeper.served).filter {
      !$0.certificate.names.hosts.allSatisfy(covered.contains)
    }
    return TLSMaterial(
      certificates: served + others, defaultName: all[0].keeper.options.defaultCertificate,
      ticketKeys: ticketKeys, selfSignedFallback: selfSigned, now: now.wall)
  }

  var isEmpty: Bool { all.allSatisfy(\.keeper.isEmpty) }
  func nextChangeOfDates(after now: Moment) -> Int64? {
    all.compactMap { $0.keeper.nextChangeOfDates(after: now) }.min()
  }

  // MARK: Status of the certificates

  var summary: CertificateSummary {
    let used = all.filter { !$0.keeper.items.isEmpty }
    let states = used.flatMap(\.keeper.items.values)
    let served = states.compactMap(\.certificate)
    return CertificateSummary(
      folder: (used.isEmpty ? [all[0]] : used).map(\.root).joined(separator: " and "),
      count: served.count, total: states.count, names: served.flatMap(\.names.hosts),
      firstExpiry: served.map(\.notAfter).min())
  }

  /// A number that increases with every change that affects the status.
  var generation: Int { all.map(\.keeper.generation).reduce(0, +) }
  var statuses: [CertificateStatus] { all.flatMap(\.keeper.statuses) }
  var holds: [Hold] { all.flatMap(\.keeper.holds) }
  var held: FolderGuard.Reason? { all.compactMap(\.keeper.folder.held).first }
  var fault: Diagnostic? {
    all.compactMap { $0.keeper.folder.heldDiagnostic ?? $0.keeper.closed.first }.first
  }
}

/// The hosts and wildcards that certificates cover. The names are stored in sets, so that even a
/// hundred thousand look-ups are fast.
package struct CoveredNames: Sendable {
  private var hosts: Set<String> = []
  /// The domains of the wildcards, without `*.`.
  private var parents: Set<Substring> = []

  package init(_ certificates: [Certificate]) {
    for name in certificates.flatMap(\.names.hosts) {
      if name.hasPrefix("*.") { parents.insert(name.dropFirst(2)) } else { hosts.insert(name) }
    }
  }

  /// - Parameter host: A host or wildcard in lower case. A wildcard is covered only by a
  ///   certificate for the same wildcard.
  package func contains(_ host: String) -> Bool {
    if hosts.contains(host) { return true }
    guard let dot = host.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
    return parents.contains(host[host.utf8.index(after: dot)...])
  }
}

/// A summary of the served certificates.
package struct CertificateSummary: Sendable {
  package let folder: String
  /// The number of served certificates, and the number of all certificates.
  package let count: Int
  package let total: Int
  /// The host names of all certificates.
  package let names: [String]
  /// The earliest expiry of a served certificate, in seconds since 1970; nil if no certificate is
  /// served.
  package let firstExpiry: Int64?
}
