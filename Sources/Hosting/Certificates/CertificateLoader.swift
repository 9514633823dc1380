internal import Diagnostics
internal import Posix
internal import TLS

/// The certificates folder as it is now and as it was last good.
///
/// Belongs to one thread.
struct CertificateLoader {
  /// What a loading changed.
  struct Outcome {
    var hasChanged = false
    /// What there is to tell of the entries that were read and are others than before.
    var diagnostics: [Diagnostic] = []
    /// How many of the certificates that were read cannot be served, as their files are now.
    var failures = 0
  }

  /// What is known of one entry.
  private struct State {
    var entry: CertificateFolder.Entry
    var fingerprint: Int
    /// What is served: the last good version.
    var certificate: Certificate?
    /// The files as they were last read cannot be served.
    var isFaulty = false
    /// Only its outline was judged yet.
    var isUnchecked = false
    /// Stands for what was told: the texts would take more than the certificates.
    var told: [Int] = []
  }

  /// So many certificates are inspected in full before the first of them is served. Of more, the
  /// outlines are: they are inspected afterwards, by `checkSome`.
  static let inspectedAtOnce = 256

  private let reader: CertificateReader
  private let options: HostingOptions
  private var trust: TrustStore?
  /// By the path of the chain.
  private var states: [String: State] = [:]
  private let intermediates = SharedIntermediates()
  private var issuers = KnownIssuers()
  /// What is wrong with which of them, by the path of the chain.
  private var troubles = Troubles<String>()
  /// The entries, by the paths of their chains, whose outlines only were judged; perhaps some more.
  private var unchecked: [String] = []
  private var directories: [String] = []
  private var folderDiagnostics: [Diagnostic] = []

  init(root: String, options: HostingOptions) {
    reader = CertificateReader(root: root)
    self.options = options
  }

  var root: String { reader.root }

  /// Whether there is no certificate that could be served.
  var isEmpty: Bool { states.values.allSatisfy { $0.certificate == nil } }

  /// Reads the folder and every file in it.
  ///
  /// When the folder itself cannot be read, everything stays as it is.
  mutating func loadAll() -> Outcome { load { _ in true } }

  /// Looks through the folder again, and reads the entries to which these names in it belong, or
  /// whose files have become others.
  mutating func reload(names: Set<String>) -> Outcome { load { names.contains($0.topName) } }

  /// What sessions are made with from now on.
  func material(ticketKeys: TicketKeys, standIn: Certificate?) -> TLSMaterial {
    TLSMaterial.build(
      // In the order of paths, so that the same files make the same choice.
      certificates: states.sorted { $0.key < $1.key }.compactMap { _, state in
        state.certificate.map { (name: state.entry.name, certificate: $0) }
      },
      defaultName: options.defaultCertificate, ticketKeys: ticketKeys, standIn: standIn,
      now: Clock.wallSeconds())
  }

  /// What is loaded, for a person.
  var summary: CertificateSummary {
    let certificates = states.sorted { $0.key < $1.key }.compactMap(\.value.certificate)
    return CertificateSummary(
      folder: root, count: certificates.count, names: certificates.flatMap(\.names.hosts),
      firstExpiry: certificates.map(\.notAfter).min())
  }

  /// What is loaded, one by one, for those who ask.
  var statuses: [CertificateStatus] {
    states.sorted { $0.key < $1.key }.map { path, state in
      CertificateStatus(
        name: state.entry.name, file: path, certificate: state.certificate,
        trouble: troubles[path])
    }
  }

  /// What time has changed since the files were read: certificates that have come near their end.
  mutating func tellOfTime() -> [Diagnostic] {
    let now = Clock.wallSeconds()
    var result: [Diagnostic] = []
    for (path, state) in states {
      guard
        let diagnostic = state.certificate?.timeDiagnostic(
          now: now, warningDays: options.certificateWarningDays),
        !state.told.contains(mark(diagnostic))
      else { continue }
      states[path]?.told.append(mark(diagnostic))
      troubles.add(path, [diagnostic])
      result.append(diagnostic)
    }
    return result
  }

  // MARK: Finding what changed unseen

  /// Whether names or files are others than those that were read.
  func isStale() -> Bool {
    guard let (folder, directories) = try? look() else { return true }
    return folder.entries != sortedEntries || directories != self.directories
      || states.values.contains { reader.fingerprint(of: $0.entry) != $0.fingerprint }
  }

  /// A hash of what the folder holds now: names and contents.
  func contentHash() -> Int {
    var hasher = Hasher()
    guard let (folder, directories) = try? look() else { return 0 }
    hasher.combine(directories)
    for entry in folder.entries {
      hasher.combine(entry.chain)
      hasher.combine(entry.key)
      hasher.combine(reader.contentDigest(of: entry))
    }
    return hasher.finalize()
  }

  /// What has to be watched besides the folder, by the name in the folder that it belongs to.
  var watchedPaths: [(name: String, directories: [String], files: [String])] {
    var watched: [String: (directories: [String], files: [String])] = [:]
    for directory in directories {
      let name = String(directory.prefix { $0 != "/" })
      watched[name, default: ([], [])].directories.append(root + "/" + directory)
    }
    for state in states.values {
      for file in state.entry.files {
        let name = String(file.prefix { $0 != "/" })
        watched[name, default: ([], [])].files.append(root + "/" + file)
      }
    }
    return watched.map { ($0.key, $0.value.directories, $0.value.files) }
  }

  // MARK: Loading

  private var sortedEntries: [CertificateFolder.Entry] {
    states.values.map(\.entry).sorted { $0.chain < $1.chain }
  }

  /// The entries in the order of their chains' paths, and the folders that were searched.
  private func look() throws(SystemError) -> (CertificateFolder, directories: [String]) {
    let found = try CertificateSearch(root: root).run()
    return (CertificateFolder(root: root, paths: found.paths), found.directories)
  }

  private mutating func load(
    isForced: (CertificateFolder.Entry) -> Bool
  ) -> Outcome {
    var outcome = Outcome()
    let folder: CertificateFolder
    do throws(SystemError) {
      (folder, directories) = try look()
    } catch {
      // Nobody asked for the default folder: without it there are no certificates.
      if !error.isNotFound || options.isCertificatesFolderExpected || !isEmpty {
        tellOfFolder([unreadableFolder(error)], &outcome)
        outcome.failures = 1
      }
      return outcome
    }
    tellOfFolder(folder.diagnostics, &outcome)
    let present = Set(folder.entries.map(\.chain))
    for (path, state) in states where !present.contains(path) {
      states[path] = nil
      troubles.remove(path)
      if state.certificate != nil { outcome.hasChanged = true }
    }
    issuers = KnownIssuers()
    let areNew = states.isEmpty && folder.entries.count > Self.inspectedAtOnce
    if areNew { lookAtAll(folder.entries, &outcome) }
    for entry in folder.entries {
      let before = states[entry.chain]
      // Read a moment ago.
      if areNew, before != nil { continue }
      if let before, before.entry == entry, before.isUnchecked || !isForced(entry),
        reader.fingerprint(of: entry) == before.fingerprint
      {
        continue
      }
      load(entry, &outcome)
    }
    return outcome
  }

  private mutating func load(_ entry: CertificateFolder.Entry, _ outcome: inout Outcome) {
    guard let conditions = conditions(&outcome) else { return }
    let before = states[entry.chain]
    var loaded = reader.load(entry, conditions)
    var state = State(
      entry: entry, fingerprint: loaded.fingerprint, certificate: loaded.certificate,
      isFaulty: loaded.certificate == nil)
    if let before, let last = before.certificate {
      if let new = loaded.certificate, last.isSame(as: new), before.entry.name == entry.name {
        // Sessions and what OpenSSL made of it go on.
        state.certificate = last
      } else if isBetter(last, than: loaded.certificate, now: conditions.now),
        !before.isUnchecked || before.fingerprint != loaded.fingerprint
      {
        // A file with errors keeps its last good version.
        state.certificate = last
        for index in loaded.diagnostics.indices where loaded.diagnostics[index].severity == .error {
          loaded.diagnostics[index].note = "its last good version is still served"
        }
      }
    }
    state.told = loaded.diagnostics.map(mark)
    if state.isFaulty { outcome.failures += 1 }
    troubles.set(
      entry.chain, loaded.diagnostics, isLastGood: state.isFaulty && state.certificate != nil)
    if state.certificate !== before?.certificate { outcome.hasChanged = true }
    outcome.diagnostics += loaded.diagnostics.filter { before?.told.contains(mark($0)) != true }
    states[entry.chain] = state
  }

  /// Whether what was served goes on to be served: what came in its place cannot be, or clients would
  /// refuse it for its dates, which they do not do with the last one.
  private func isBetter(_ last: Certificate, than new: Certificate?, now: Int64) -> Bool {
    guard let new else { return true }
    return last.isValid(at: now) && !new.isValid(at: now)
  }

  private mutating func conditions(_ outcome: inout Outcome) -> CertificateFile.Conditions? {
    guard let trust = trustStore(&outcome) else { return nil }
    return CertificateFile.Conditions(
      now: Clock.wallSeconds(), warningDays: options.certificateWarningDays, trust: trust,
      intermediates: intermediates, issuers: issuers)
  }

  // MARK: Very many certificates

  /// Takes the entries whose outlines are good, to be inspected later.
  private mutating func lookAtAll(
    _ entries: [CertificateFolder.Entry], _ outcome: inout Outcome
  ) {
    let conditions = CertificateFile.FirstLookConditions(
      now: Clock.wallSeconds(), warningDays: options.certificateWarningDays,
      intermediates: intermediates)
    let (reader, progress) = (reader, options.certificateProgress)
    let slices = inParallel(entries.count, slice: 64, threads: availableProcessors()) { range in
      defer { progress?(range.count, entries.count) }
      return range.map { reader.firstLook(entries[$0], conditions) }
    }
    states.reserveCapacity(entries.count)
    for (entry, loaded) in zip(entries, slices.joined()) {
      guard let loaded else { continue }
      states[entry.chain] = State(
        entry: entry, fingerprint: loaded.fingerprint, certificate: loaded.certificate,
        isUnchecked: true, told: loaded.diagnostics.map(mark))
      troubles.set(entry.chain, loaded.diagnostics, isLastGood: false)
      outcome.hasChanged = true
      outcome.diagnostics += loaded.diagnostics
    }
    unchecked = states.keys.sorted(by: >)
  }

  /// Whether there are certificates of which only the outlines were judged.
  var hasUnchecked: Bool { !unchecked.isEmpty }

  /// Inspects some of them in full: for as long as given, but one at least. A bad one is served no
  /// more.
  mutating func checkSome(milliseconds: Int64) -> Outcome {
    var outcome = Outcome()
    let end = Clock.monotonicMilliseconds() + milliseconds
    while let path = unchecked.popLast() {
      if let state = states[path], state.isUnchecked { load(state.entry, &outcome) }
      if Clock.monotonicMilliseconds() >= end { break }
    }
    if unchecked.isEmpty { unchecked = [] }
    return outcome
  }

  private mutating func tellOfFolder(_ diagnostics: [Diagnostic], _ outcome: inout Outcome) {
    outcome.diagnostics += diagnostics.filter { !folderDiagnostics.contains($0) }
    folderDiagnostics = diagnostics
  }

  /// The system's roots, read when they are first needed.
  private mutating func trustStore(_ outcome: inout Outcome) -> TrustStore? {
    if let trust { return trust }
    do throws(TLSError) {
      trust = try TrustStore.system()
    } catch {
      outcome.diagnostics.append(
        Diagnostic(.error, code: "T035", "the system's root certificates cannot be used: \(error)"))
    }
    return trust
  }

  private func unreadableFolder(_ error: SystemError) -> Diagnostic {
    Diagnostic(
      .error, code: "T033", "the certificates folder cannot be read: \(error.reason)",
      at: .init(path: root),
      help: error.isNotFound
        ? "make it, or name another with --certificates" : "let the server's user read it",
      note: isEmpty ? nil : "what was served before is still served")
  }
}

/// Stands for a diagnostic.
private func mark(_ diagnostic: Diagnostic) -> Int {
  var hasher = Hasher()
  hasher.combine(diagnostic.code)
  hasher.combine(diagnostic.message)
  hasher.combine(diagnostic.note)
  hasher.combine(diagnostic.location?.path)
  hasher.combine(diagnostic.location?.place?.range)
  return hasher.finalize()
}
