internal import Diagnostics
internal import Posix
internal import Settings

/// Keeps the status up to date, on the maintenance thread.
struct StatusKeeper {
  private var status = HostingStatus()
  private let publisher: StatusPublisher
  /// The value of `CertificateFolders.generation` when the certificates in the status were
  /// determined.
  private var shownGeneration = -1
  private var held: [FolderGuard.Reason?] = [nil, nil]
  /// Whether every entry has been read once since the start.
  private var hasReadAll = false
  /// The hanging reads and writes that were reported.
  private var reportedHangs: [Hang] = []

  init(_ options: HostingOptions, _ publisher: StatusPublisher) {
    self.publisher = publisher
    status.folder = options.domains
    status.hasHTTPS = options.certificates != nil
    status.isCertificatesFolderExpected = options.isCertificatesFolderExpected
  }

  /// Records the result of the first load or of a reload.
  mutating func noteReload(failed: Bool, isFirst: Bool, at now: Moment) {
    status.isLoaded = true
    status.reloads.note(failed: failed, isFirst: isFirst, now: now.wall)
  }

  /// Updates the holds, and the hanging reads and writes, in the status. Returns what to report. If a
  /// hold has started or ended, or a hang was reported or all reported hangs have ended, the outcome
  /// counts as a reload.
  ///
  /// - Parameter kept: If the state folder does not answer, the path of the read or write that
  ///   hangs, and when it began; otherwise nil.
  /// - Parameter now: Milliseconds of the monotonic clock.
  mutating func note(
    _ domains: DomainKeeper, _ certificates: CertificateFolders?, _ works: [HangTolerantPool],
    _ kept: (path: String, since: Int64)? = nil, now: Int64
  ) -> Outcome {
    var outcome = Outcome()
    let reasons = [domains.folder.held, certificates?.held]
    for (index, folder) in ["domains", "certificates"].enumerated()
    where held[index] != nil && reasons[index] == nil { outcome.report.released.append(folder) }
    let holds = domains.holds + (certificates?.holds ?? [])
    var hangs = works.flatMap(\.hanging).map { Hang(path: $0.path, since: $0.since) }
    if let kept { hangs.append(Hang(path: kept.path, since: kept.since, isKept: true)) }
    let reported = hangs.filter { now - $0.since >= LoadingLimits.reportedHang }
    let shown = reported.map { $0.diagnostic(now: now) }
    let new = reported.filter { !reportedHangs.contains($0) }
    outcome.report.add(new.map { $0.diagnostic(now: now) })
    let areHangsOver = reported.isEmpty && !reportedHangs.isEmpty
    outcome.isReload = held != reasons || areHangsOver || !new.isEmpty
    outcome.isStatusDue =
      held != reasons || status.holds != holds || status.hangingReads != hangs.count
      || status.hangs != shown
    (held, reportedHangs) = (reasons, reported)
    (status.holds, status.hangingReads, status.hangs) = (holds, hangs.count, shown)
    return outcome
  }

  /// Publishes the current status.
  mutating func publish(
    _ domains: DomainKeeper, _ certificates: CertificateFolders?, _ catalog: CatalogMaker,
    confirmed: [String] = [], unkept: Int = 0, keptCertificates: Int = 0
  ) {
    status.confirmed = confirmed
    status.unkept = unkept
    status.keptCertificates = keptCertificates
    status.isFolderUnread = !domains.folder.wasRead
    hasReadAll = hasReadAll || domains.folder.wasRead && domains.unread.isEmpty
    status.unreadAtStart = hasReadAll ? 0 : domains.unread.count
    status.catalog = catalog.catalog
    status.problems = domains.problems.all
    status.folderFault = domains.folder.heldDiagnostic
    status.usesSelfSigned = catalog.servesSelfSigned
    if let certificates {
      if certificates.generation != shownGeneration {
        status.certificates = certificates.statuses
        shownGeneration = certificates.generation
      }
      status.areCertificatesHeld = certificates.held != nil
      status.certificateFault = certificates.fault
    }
    publisher.publish(status)
  }

  var domainCounts: DomainCounts { DomainCounts(status.counts) }
}

/// The domain counts in the line that the server prints when it starts.
package struct DomainCounts: Equatable, Sendable {
  package var all = 0
  /// The number of domains that are served, with or without faults.
  package var served = 0
  /// The number of served domains that have faults.
  package var faulty = 0

  init(_ counts: [(state: HostingStatus.State, count: Int)]) {
    for (state, count) in counts {
      all += count
      if [.served, .flawed, .lastGood].contains(state) { served += count }
      if [.flawed, .lastGood].contains(state) { faulty += count }
    }
  }
}

/// A hanging read of the domains folder or a certificates folder, or a hanging read or write of the
/// state folder.
private struct Hang: Equatable {
  let path: String
  let since: Int64
  var isKept = false

  func diagnostic(now: Int64) -> Diagnostic {
    let (who, what, note) =
      isKept
      ? (
        "the state folder", "reading or writing",
        "everything else continues, but nothing more is stored for the next start"
      )
      : (
        "the file system", "reading",
        "what was served before is still served, and nothing else in the folder is read"
      )
    return Diagnostic(
      .fileSystemSilent, "\(who) does not answer: \(what) has lasted \((now - since) / 1000) s",
      at: .init(path: path), note: note)
  }
}
