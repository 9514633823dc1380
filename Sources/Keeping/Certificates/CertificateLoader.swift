internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// The certificates folder: its files, their faults, and the certificates that are served.
///
/// Belongs to one thread. It decides as `DomainLoader` does. Only a certificate that clients accept
/// replaces what is served for a name; the self-signed fallback never does.
struct CertificateLoader {
  private(set) var options: HostingOptions
  let root: String
  /// By the path of the chain.
  var states: [String: CertificateState] = [:]
  var problems = ProblemTable<String>()
  var folder: KeptFolder<String>
  /// Runs all reads of the folder.
  let work: PatientWork
  /// Determined once, because that reads several system files.
  let processors = availableProcessors()
  /// The monotonic clock, in milliseconds, for all waits and durations.
  var clock: @Sendable () -> Int64 = Clock.monotonicMilliseconds
  private var folderNames = CertificateFolderNames()
  /// Folders that were searched, by relative path.
  private var directories: [String] = []
  /// Directories to be watched, each with the name in the certificates folder that it belongs to.
  private var unwatched: [(name: String, path: String)] = []
  /// Increases with every change that affects the status.
  var generation = 0
  var unjudged: [String] = []
  /// Folders and links that cannot be followed, as reported.
  private(set) var closed: [Diagnostic] = []
  /// The chains hidden by folders and links that cannot be followed.
  private(set) var hidden: Set<String> = []
  /// The certificates that the last run kept, for chains not read yet.
  var kept: [String: LastRun.KeptCertificate] = [:]
  private let intermediates = SharedIntermediates()
  var trust: TrustStore?
  /// The fault of the system's roots, until a scan reports it.
  var rootsFault: Diagnostic?
  /// The changes that wait for confirmation, by chain.
  private(set) var changes: [String: CertificateChange] = [:]
  /// The fingerprints of confirmed certificates, by chain.
  var confirmed: [String: String] = [:]
  /// The catalog that is served; nil at the start.
  var catalog: Catalog?
  /// The certificates in the folder of automatic ones.
  var elsewhere: [Certificate] = []
  var issuers = KnownIssuers()

  init(_ options: HostingOptions, root: String, work: PatientWork = PatientWork()) {
    self.options = options
    self.root = root
    self.work = work
    folder = KeptFolder(
      "certificates", kinds: (.manyCertificatesMissing, .certificatesFolderUnreadable), at: root,
      naming: \.self)
    folder.canConfirm = options.canConfirm
  }

  /// Uses new options. If they affect reports, the next scan reads every file again.
  mutating func use(_ options: HostingOptions) {
    if options.certificateWarningDays != self.options.certificateWarningDays { forgetFiles() }
    self.options = options
  }

  /// Lets the next scan read every file again.
  mutating func forgetFiles() {
    for chain in Array(states.keys) { states[chain]?.identity = 0 }
  }

  var reader: CertificateReader {
    CertificateReader(
      root: root,
      conditions: .init(
        now: Clock.wallSeconds(), warningDays: options.certificateWarningDays,
        intermediates: intermediates))
  }

  /// Whether there is no certificate to serve.
  var isEmpty: Bool { states.values.allSatisfy { $0.certificate == nil } }

  // MARK: Scanning

  /// Searches the folder, and reads files that are new, have changed, or belong to `names`.
  ///
  /// - Parameters:
  ///   - names: Names in the folder whose certificates are always read.
  ///   - settled: The names among them whose writers have finished.
  ///   - isStart: Whether the server is starting, so that all files were there before.
  mutating func scan(
    _ names: Set<String>, settled: Set<String> = [], isFinal: Bool = false, isStart: Bool = false
  ) -> Outcome {
    var outcome = Outcome()
    let isFirst = !folder.wasRead
    let isPatient = !isStart && !isFinal
    let look = searched().map { judge($0) }
    guard case .trusted(let search)? = look else {
      outcome += look?.outcome
      if look == nil { outcome.again.append(nextAttempt) }
      outcome += restoreMissing()
      return outcome
    }
    let found = folderNames.folder(root: root, paths: search.paths)
    let isStart = isStart || states.isEmpty
    outcome += reportNames(found, search, isStart: isStart, isFinal: isFinal)
    if search.directories != directories {
      directories = search.directories
      unwatched += directories.map { (String($0.prefix { $0 != "/" }), root + "/" + $0) }
    }
    let (reader, now) = (reader, clock())
    let due = changed(found.entries, including: names)
    let readings = read(due, isFinal: isFinal, settled)
    // The folder was closed or replaced during the scan: the next scan reports that, once.
    if readings.contains(where: { $0?.finding.isUnreadable == true }),
      work.result(root, { search.isCurrent }) != true
    {
      outcome.again += due.map { (.certificate($0.topName), now + 1000) }
      return outcome
    }
    outcome += noteMissing(besides: found, in: search, reader, names, isFinal: isFinal)
    for (entry, reading) in zip(due, readings) {
      guard let reading else {
        outcome.again.append(nextAttempt)
        continue
      }
      if !isStart, states[entry.chain] == nil {
        folder.add(entry.chain, at: clock(), withdrawAfter: options.withdrawAfter)
      }
      outcome += take(
        reading, of: entry, isFinal: isFinal || settled.contains(entry.topName),
        isPatient: isPatient)
    }
    if isFirst {
      outcome += restoreMissing(besides: found, in: search)
      if folder.names.held != nil { outcome += withdrawOverdue() }
    }
    return outcome
  }

  /// Notes which certificates are missing, before others take their place.
  private mutating func noteMissing(
    besides found: CertificateFolder, in search: CertificateSearch, _ reader: CertificateReader,
    _ names: Set<String>, isFinal: Bool
  ) -> Outcome {
    var outcome = Outcome()
    hidden = []
    let now = clock()
    let present = Set(found.entries.map(\.chain))
    let gone = states.filter { !present.contains($0.key) }
    let keys = gone.isEmpty ? [] : found.keysWithoutChain(among: search.paths)
    for (chain, state) in gone {
      guard let key = state.entry.key, keys.contains(key) else {
        noteMissing(chain, search, now: now)
        continue
      }
      guard let identity = work.result(root + "/" + chain, { reader.identity(of: state.entry) }),
        state.identity != identity || names.contains(state.entry.topName)
      else { continue }
      let reading = CertificateReader.Reading(
        finding: .unusable(.chainMissing(root + "/" + chain, key: root + "/" + key)),
        identity: identity)
      outcome += take(reading, of: state.entry, isFinal: isFinal)
    }
    return outcome
  }

  /// Decides whether the folder can be trusted. If not, nothing changes.
  private mutating func judge(
    _ result: Result<CertificateSearch, SystemError>
  ) -> KeptFolder<String>.Look<CertificateSearch> {
    let (root, chains) = (root, Array(states.keys))
    // The default folder may be absent: then there are no certificates.
    let look = folder.look(
      result.mapError(failure), known: chains, isExpected: options.isCertificatesFolderExpected,
      at: clock(), withdrawAfter: options.withdrawAfter,
      lost: { search in
        let found = Set(CertificateFolder(root: root, paths: search.paths).entries.map(\.chain))
        return chains.filter { !found.contains($0) }
      },
      describe: { (device: $0.status.device, isEmpty: $0.isEmpty) })
    if case .doubted = look, case .success(let search) = result {
      forgetFaults(ofMissingIn: search)
    }
    return look
  }

  private func failure(_ error: SystemError) -> FolderFailure {
    let (what, kind, root) = (folder.what, folder.kinds.folder, root)
    return work.result(root) { FolderFailure(error, of: what, kind, at: root) }
      ?? FolderFailure(error, .unreadableFolder(what, kind, at: root))
  }

  private mutating func reportNames(
    _ found: CertificateFolder, _ search: CertificateSearch, isStart: Bool, isFinal: Bool
  ) -> Outcome {
    var outcome = Outcome()
    let closed =
      search.closed.isEmpty
      ? []
      : work.result(root) { [root] in
        search.closed.map { path, error in
          unreadableDiagnostic(
            "the folder", .certificateFileUnreadable, path.isEmpty ? root : root + "/" + path, error
          )
        }
      } ?? self.closed
    let now = clock()
    // A link may also lead nowhere for a moment.
    let faults = folder.report(
      isFinal ? found.diagnostics : closed + found.diagnostics, sure: isFinal ? closed : [],
      isStart: isStart, now: now)
    outcome.report.add(faults.new)
    if let time = faults.again { outcome.again.append((.certificatesFolder, time)) }
    self.closed = closed
    if !closed.isEmpty { outcome.failures += 1 }
    return outcome
  }

  // MARK: Deciding

  private mutating func take(
    _ reading: CertificateReader.Reading, of entry: CertificateFolder.Entry, isFinal: Bool,
    isPatient: Bool = false
  ) -> Outcome {
    var outcome = Outcome()
    let now = clock()
    let wall = Clock.wallSeconds()
    // The file exists, whatever it contains.
    folder.find(entry.chain, at: now)
    if reading.isGone || reading.settlingTime > 0 && !isFinal {
      outcome.again.append((.certificate(entry.topName), now + reading.settlingTime))
      return outcome
    }
    let isNew = states[entry.chain] == nil
    var state = states[entry.chain] ?? CertificateState(entry)
    state.entry = entry
    state.identity = reading.identity
    // What was kept is served at once.
    let isPatient = isPatient && kept[entry.chain] == nil
    let weighing = state.weigh(reading.finding, now: now, wall: wall, isPatient: isPatient)
    guard case .counts(var finding) = weighing else {
      if case .waits(let time) = weighing {
        outcome.again.append((.certificate(entry.topName), time))
      }
      // Until then the file counts as not read.
      state.identity = 0
      states[entry.chain] = state
      return outcome
    }
    outcome.hasRead = true
    if isNew { finding = restored(&state, finding) }
    if isNew, let kept = state.certificate { outcome.noteCertificateChange(to: kept) }
    changes[entry.chain] = nil
    if case .usable(let new) = finding,
      let change = heldChange(
        of: state.certificate, to: new, entry.chain, isStart: isNew, wall: wall)
    {
      changes[entry.chain] = change
      finding = .unusable(change.hold.fault)
    }
    if reading.doubtfulTime > 0 {
      outcome.again.append((.certificate(entry.topName), now + reading.doubtfulTime))
    }
    if case .flawed(let new, _) = reading.finding, new.notBefore > wall {
      let time = now + (new.notBefore - wall) * 1000
      outcome.again.append((.certificate(entry.topName), time))
    }
    outcome += decide(&state, finding, reading.warnings, now: now)
    unwatched += reading.linkedFolders.map { (entry.topName, $0) }
    generation += 1
    states[entry.chain] = state
    return outcome
  }

  private mutating func decide(
    _ state: inout CertificateState, _ finding: FileFinding<Certificate>, _ warnings: [Diagnostic],
    now: Int64
  ) -> Outcome {
    var outcome = Outcome()
    outcome.report.add(takeRootsFault())
    let before = state.certificate
    if case .flawed = finding { state.file.quality = .flawed }
    let (next, decision) = state.file.deciding(finding)
    state.file = next
    var diagnostics = warnings
    var isLastGood = false
    if case .fault(var fault, let keepsVersion) = decision {
      if next.answer.version == nil { fault.note = "until it is fixed, it is not served" }
      diagnostics.insert(fault, at: 0)
      isLastGood = keepsVersion
      outcome.failures += 1
    }
    if case .unreadable = finding {
      state.failures += 1
      let time = now + retryPause(afterFailures: state.failures)
      outcome.again.append((.certificate(state.entry.topName), time))
    } else {
      state.failures = 0
    }
    let judged = problems[state.entry.chain]?.diagnostics.filter {
      Certificate.judgementKinds.contains($0.kind)
    }
    if problems.note(state.entry.chain, diagnostics, isLastGood: isLastGood) {
      outcome.report.add(diagnostics)
    }
    if state.certificate === before {
      if let judged, !judged.isEmpty { problems.add(state.entry.chain, judged) }
    } else {
      outcome.noteCertificateChange(to: state.certificate)
      // A version that was never judged cannot become the last good one.
      if !state.isUnjudged { state.previous = before }
      state.isUnjudged = true
      unjudged.append(state.entry.chain)
    }
    return outcome
  }

  private mutating func noteMissing(_ chain: String, _ search: CertificateSearch, now: Int64) {
    // A folder that cannot be searched does not prove that a file is missing.
    if search.obstacle(to: chain) != nil {
      hidden.insert(chain)
      folder.find(chain, isSeen: false, at: now)
    } else if work.result(root + "/" + chain, { search.hasMissed(chain) }) != false {
      folder.find(chain, isSeen: false, at: now)
    } else if !folder.names.isMissing(chain) {
      forgetFault(ofMissing: chain)
      folder.miss(chain, at: now, withdrawAfter: options.withdrawAfter)
    }
  }

  /// When the next missing certificate may be withdrawn, in milliseconds of the monotonic clock;
  /// nil if none is missing, or if withdrawals are held back.
  var nextWithdrawal: Int64? { folder.nextWithdrawal(withdrawAfter: options.withdrawAfter) }

  /// Withdraws certificates that have been missing for long enough, unless suspiciously many are
  /// missing, or none would be left.
  mutating func withdrawMissing() -> Outcome {
    var outcome = Outcome()
    // An old search does not prove absence: the file may be back.
    if folder.isWithdrawalDue(at: clock(), withdrawAfter: options.withdrawAfter) {
      outcome += scan([])
      // Nor does a file system that does not answer.
      if isWaiting { return outcome }
    }
    outcome += withdrawOverdue()
    return outcome
  }

  private mutating func withdrawOverdue() -> Outcome {
    let isLast = states.values.allSatisfy {
      $0.certificate == nil || folder.names.isMissing($0.entry.chain)
    }
    let known = states.count + folder.names.unseen.count { states[$0] == nil }
    let found = folder.withdrawal(
      known: known, isLast: isLast, at: clock(), withdrawAfter: options.withdrawAfter)
    var outcome = Outcome()
    if let faults = found.faults { outcome += Outcome(heldFor: faults) }
    if found.names.isEmpty { return outcome }
    generation += 1
    for chain in found.names.sorted() {
      folder.withdraw(chain, at: clock())
      changes[chain] = nil
      let state = states.removeValue(forKey: chain)
      problems.remove(chain)
      if state?.certificate == nil { continue }
      outcome.noteCertificateChange(to: nil)
      outcome.report.add([
        Diagnostic(
          .certificateRemoved, "removed: \(root)/\(chain)", at: .init(path: root + "/" + chain),
          note: "its file was missing for longer than withdrawAfter")
      ])
    }
    return outcome
  }

  /// The directories to be watched that were found since the last call.
  mutating func takeUnwatched() -> [(name: String, path: String)] {
    defer { unwatched = [] }
    return unwatched
  }
}

extension Diagnostic {
  /// A chain whose key is still there counts as unreadable, not as missing.
  fileprivate static func chainMissing(_ path: String, key: String) -> Diagnostic {
    Diagnostic(
      .certificateFileUnreadable, "the file is missing, and its key \(key) is still there",
      at: .init(path: path), help: "put the file back, or remove its key too")
  }
}
