internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// The certificates folder: its files, what is served of them, and their faults.
///
/// Belongs to one thread. It decides as `DomainLoader` does. Only a certificate that clients accept
/// replaces what is served for a name; the self-signed fallback never does.
struct CertificateLoader {
  private(set) var options: HostingOptions
  let root: String
  /// By the path of the chain.
  var states: [String: CertificateState] = [:]
  var problems = ProblemTable<String>()
  var folder = FolderState()
  private var folderNames = CertificateFolderNames()
  /// Folders that were searched, by relative path.
  private var directories: [String] = []
  /// Directories to be watched, each with the name in the certificates folder that it belongs to.
  private var unwatched: [(name: String, path: String)] = []
  /// Increases with every change that a status shows.
  var generation = 0
  /// When a file was first missing, in milliseconds of the monotonic clock.
  private var missing: [String: Int64] = [:]
  var unjudged: [String] = []
  /// When a diagnostic about names was first found, by its report mark.
  private var firstSeen: [Int: Int64] = [:]
  /// Folders and links that cannot be followed, as reported.
  private(set) var closed: [Diagnostic] = []
  private let intermediates = SharedIntermediates()
  var trust: TrustStore?
  var issuers = KnownIssuers()

  init(_ options: HostingOptions, root: String) {
    self.options = options
    self.root = root
  }

  /// Takes other options. If they change what is reported, the next scan reads every file again.
  mutating func use(_ options: HostingOptions) {
    if options.certificateWarningDays != self.options.certificateWarningDays { forgetFiles() }
    self.options = options
  }

  /// Lets the next scan read every file again.
  private mutating func forgetFiles() {
    for chain in Array(states.keys) { states[chain]?.identity = 0 }
  }

  /// Reads every file again, because other dates are valid now.
  mutating func readAgain(_ outcome: inout Outcome) {
    forgetFiles()
    scan([], &outcome)
  }

  private var reader: CertificateReader {
    CertificateReader(
      root: root,
      conditions: .init(
        now: Clock.wallSeconds(), warningDays: options.certificateWarningDays,
        intermediates: intermediates))
  }

  /// Whether there is no certificate to serve.
  var isEmpty: Bool { states.values.allSatisfy { $0.certificate == nil } }

  // MARK: Scanning

  /// Searches the folder, and reads files that are new, have changed, or are named.
  ///
  /// - Parameters:
  ///   - names: Names in the folder whose certificates are read in any case.
  ///   - settled: Those of them whose writers have finished.
  mutating func scan(
    _ names: Set<String>, settled: Set<String> = [], isFinal: Bool = false,
    _ outcome: inout Outcome
  ) {
    guard let search = search(&outcome) else { return }
    let found = folderNames.folder(root: root, paths: search.paths)
    reportNames(found, search, &outcome)
    if search.directories != directories {
      directories = search.directories
      unwatched += directories.map { (String($0.prefix { $0 != "/" }), root + "/" + $0) }
    }
    let (reader, now) = (reader, Clock.monotonicMilliseconds())
    let due = found.entries.filter { entry in
      guard let state = states[entry.chain], state.entry == entry else { return true }
      return names.contains(entry.topName) || missing[entry.chain] != nil
        || reader.identity(of: entry) != state.identity
    }
    let (progress, total) = (options.certificateProgress, due.count)
    let threads = options.threads ?? availableProcessors()
    let readings = inParallel(due.count, slice: 64, threads: threads) { range in
      defer { progress?(range.count, total) }
      guard let directory = try? Directory(reader.root) else {
        // Like a file that is gone: it is read again in a moment.
        let gone = CertificateReader.Reading(
          settlingTime: ObservationLimits.settlingTime, isGone: true)
        return range.map { _ in gone }
      }
      var readings: [CertificateReader.Reading] = []
      for entry in due[range] {
        let isSettled = isFinal || settled.contains(entry.topName)
        readings.append(reader.read(entry, in: directory, isSettled: isSettled))
      }
      return readings
    }.flatMap(\.self)
    // The folder was closed or replaced in the meantime: the next scan reports that, once.
    if readings.contains(where: \.finding.isUnreadable), !search.isCurrent {
      outcome.again += due.map { (.certificate($0.topName), now + 1000) }
      return
    }
    for (entry, reading) in zip(due, readings) {
      take(reading, of: entry, isFinal: isFinal || settled.contains(entry.topName), &outcome)
    }
    let present = Set(found.entries.map(\.chain))
    let gone = states.filter { !present.contains($0.key) }
    let keys = gone.isEmpty ? [] : found.keysWithoutChain(among: search.paths)
    for (chain, state) in gone {
      guard let key = state.entry.key, keys.contains(key) else {
        noteMissing(chain, search, &outcome, now: now)
        continue
      }
      let identity = reader.identity(of: state.entry)
      guard state.identity != identity || names.contains(state.entry.topName) else { continue }
      let reading = CertificateReader.Reading(
        finding: .unusable(.chainMissing(root + "/" + chain, key: root + "/" + key)),
        identity: identity)
      take(reading, of: state.entry, isFinal: isFinal, &outcome)
    }
  }

  /// Nil if the folder cannot be trusted now; then everything stays.
  private mutating func search(_ outcome: inout Outcome) -> CertificateSearch? {
    let path = root
    let seen = folder.read(known: states.count) { () throws(SystemError) in
      let search = try CertificateSearch(path)
      return (search, device: search.status.device, isEmpty: search.isEmpty)
    }
    if let doubt = seen.doubt {
      let lost = seen.content.map { names(lostIn: $0) } ?? Set(states.keys)
      hold(doubt, seen.error, losing: lost, &outcome)
      return nil
    }
    if folder.isDistrusted {
      folder.trust()
      let now = Clock.monotonicMilliseconds()
      for chain in Array(missing.keys) { missing[chain] = now }
    }
    if seen.content == nil {
      // The default folder may be absent: then there are no certificates.
      if states.isEmpty && options.isCertificatesFolderExpected {
        hold(.missing, seen.error, losing: [], &outcome)
      }
      let now = Clock.monotonicMilliseconds()
      for chain in states.keys where missing[chain] == nil { missing[chain] = now }
    }
    return seen.content
  }

  private mutating func hold(
    _ reason: FolderGuard.Reason, _ error: SystemError?, losing names: Set<String>,
    _ outcome: inout Outcome
  ) {
    outcome.failures += 1
    let found = folder.hold(
      reason, "certificates", kinds: (.manyCertificatesMissing, .certificatesFolderUnreadable),
      at: root, error, losing: states.isEmpty ? [] : names)
    outcome.report.add(found)
  }

  private mutating func reportNames(
    _ found: CertificateFolder, _ search: CertificateSearch, _ outcome: inout Outcome
  ) {
    let closed = search.closed.map { path, error in
      unreadableDiagnostic(
        "the folder", .certificateFileUnreadable, path.isEmpty ? root : root + "/" + path, error)
    }
    let lasting = lastingDiagnostics(found.diagnostics) + closed
    outcome.report.add(lasting.filter { !folder.nameDiagnostics.contains($0) })
    folder.nameDiagnostics = lasting
    self.closed = closed
    if !closed.isEmpty { outcome.failures += 1 }
  }

  /// Leaves out diagnostics of a short moment: a key has no chain while that is replaced.
  private mutating func lastingDiagnostics(_ found: [Diagnostic]) -> [Diagnostic] {
    if states.isEmpty { return found }
    let now = Clock.monotonicMilliseconds()
    let before = firstSeen
    firstSeen = [:]
    return found.filter { diagnostic in
      let mark = reportMark([diagnostic])
      let since = before[mark] ?? now
      firstSeen[mark] = since
      return folder.nameDiagnostics.contains(diagnostic) || now - since >= Sweep.shortestPause
    }
  }

  // MARK: Deciding

  private mutating func take(
    _ reading: CertificateReader.Reading, of entry: CertificateFolder.Entry, isFinal: Bool,
    _ outcome: inout Outcome
  ) {
    let now = Clock.monotonicMilliseconds()
    let wall = Clock.wallSeconds()
    // It exists, whatever its content.
    missing[entry.chain] = nil
    if reading.isGone || reading.settlingTime > 0 && !isFinal {
      outcome.again.append((.certificate(entry.topName), now + reading.settlingTime))
      return
    }
    var state = states[entry.chain] ?? CertificateState(entry)
    state.entry = entry
    state.identity = reading.identity
    let weighing = state.weigh(reading.finding, now: now, wall: wall)
    guard case .counts(let finding) = weighing else {
      if case .waits(let time) = weighing {
        outcome.again.append((.certificate(entry.topName), time))
      }
      // Until then the file counts as not read.
      state.identity = 0
      states[entry.chain] = state
      return
    }
    outcome.hasRead = true
    if case .flawed(let new, _) = reading.finding, new.notBefore > wall {
      let time = now + (new.notBefore - wall) * 1000
      outcome.again.append((.certificate(entry.topName), time))
    }
    decide(&state, finding, reading.warnings, &outcome, now: now)
    unwatched += reading.linkedFolders.map { (entry.topName, $0) }
    generation += 1
    states[entry.chain] = state
  }

  private mutating func decide(
    _ state: inout CertificateState, _ finding: Finding<Certificate>, _ warnings: [Diagnostic],
    _ outcome: inout Outcome, now: Int64
  ) {
    let before = state.certificate
    if case .flawed = finding { state.file.quality = .flawed }
    let (next, decision) = state.file.deciding(
      finding, .init(now: now, withdrawAfter: options.withdrawAfter))
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
    note(&state, diagnostics, isLastGood: isLastGood, &outcome)
    if state.certificate === before {
      if let judged, !judged.isEmpty { problems.add(state.entry.chain, judged) }
    } else {
      outcome.noteCertificateChange()
      // A version that was never judged is not kept as the last good one.
      if !state.isUnjudged { state.previous = before }
      state.isUnjudged = true
      unjudged.append(state.entry.chain)
    }
  }

  mutating func note(
    _ state: inout CertificateState, _ diagnostics: [Diagnostic], isLastGood: Bool,
    _ outcome: inout Outcome
  ) {
    problems.set(state.entry.chain, diagnostics, isLastGood: isLastGood)
    let mark = diagnostics.isEmpty ? 0 : reportMark(diagnostics)
    if mark != state.reported { outcome.report.add(diagnostics) }
    state.reported = mark
  }

  private mutating func noteMissing(
    _ chain: String, _ search: CertificateSearch, _ outcome: inout Outcome, now: Int64
  ) {
    // A folder that cannot be searched does not prove that a file is missing.
    if search.obstacle(to: chain) != nil {
      missing[chain] = nil
      return
    }
    if missing[chain] == nil { missing[chain] = now }
  }

  /// When a missing certificate may be withdrawn, in milliseconds of the monotonic clock; nil if
  /// none is missing, or if everything stays for now.
  var nextWithdrawal: Int64? {
    folder.held == nil ? missing.values.min().map { $0 + options.withdrawAfter } : nil
  }

  /// Withdraws certificates that have been missing for long enough, unless they are suspiciously
  /// many, or the last one.
  mutating func withdrawMissing(_ outcome: inout Outcome) {
    let now = Clock.monotonicMilliseconds()
    let pause = folder.isConfirmed ? 0 : options.withdrawAfter
    var overdue = missing.filter { now - $0.value >= pause }.keys.sorted()
    // An old search does not prove absence: the file may be back.
    if !overdue.isEmpty {
      scan([], &outcome)
      overdue = overdue.filter { missing[$0] != nil }
    }
    // In a folder that was missing from the start no file can be missing.
    if folder.isDistrusted || states.isEmpty && folder.guarding.observation == .missing { return }
    if let reason = reasonToKeep() {
      if !overdue.isEmpty { hold(reason, nil, losing: Set(missing.keys), &outcome) }
      return
    }
    if folder.held != nil, !folder.isConfirmed {
      // If somebody puts files back one by one, the rest needs time.
      for chain in Array(missing.keys) { missing[chain] = now }
      return folder.release()
    }
    for chain in overdue {
      guard let state = states.removeValue(forKey: chain) else { continue }
      missing[chain] = nil
      problems.remove(chain)
      if state.certificate == nil { continue }
      outcome.noteCertificateChange()
      outcome.report.add([
        Diagnostic(
          .certificateRemoved, "removed: \(root)/\(chain)", at: .init(path: root + "/" + chain),
          note: "its file was missing for longer than withdrawAfter")
      ])
    }
    generation += 1
    if missing.isEmpty { folder.release() }
  }

  /// Why missing certificates must not be withdrawn now; nil if they may be.
  private func reasonToKeep() -> FolderGuard.Reason? {
    if folder.isConfirmed { return nil }
    if let reason = folder.guarding.reason(missing: missing.count, known: states.count) {
      return reason
    }
    let isLast = states.values.allSatisfy {
      $0.certificate == nil || missing[$0.entry.chain] != nil
    }
    return isLast && !missing.isEmpty ? .mostMissing(missing.count, of: states.count) : nil
  }

  /// The directories to be watched that were found since the last call.
  mutating func takeUnwatched() -> [(name: String, path: String)] {
    defer { unwatched = [] }
    return unwatched
  }

  /// Reports certificates that have expired, or come close to it, since their files were read.
  mutating func reportDates(_ report: inout Report) {
    for (chain, state) in states {
      guard
        let diagnostic = state.certificate?.timeDiagnostic(
          now: Clock.wallSeconds(), warningDays: options.certificateWarningDays),
        problems[chain]?.diagnostics.contains(where: { $0.kind == diagnostic.kind }) != true
      else { continue }
      let others = problems[chain]?.diagnostics.filter { !Certificate.dateKinds.contains($0.kind) }
      problems.set(
        chain, [diagnostic] + (others ?? []), isLastGood: problems[chain]?.isLastGood ?? false)
      generation += 1
      report.add([diagnostic])
    }
  }
}

extension Diagnostic {
  /// A certificate without its key is not missing, either.
  fileprivate static func chainMissing(_ path: String, key: String) -> Diagnostic {
    Diagnostic(
      .certificateFileUnreadable, "the file is missing, and its key \(key) is still there",
      at: .init(path: path), help: "put the file back, or remove its key too")
  }
}
