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
    /// How many more there are of each code.
    var omitted: [String: Int] = [:]
    /// How many of the certificates that were read cannot be served, as their files are now.
    var failures = 0
  }

  /// So many certificates are inspected in full before the first of them is served. Of more, the
  /// outlines are: they are inspected afterwards, by `checkSome`.
  static let inspectedAtOnce = 256

  private let reader: CertificateReader
  private let options: HostingOptions
  private var trust: TrustStore?
  /// By the path of the chain. What is known of each is at the same index in the next two.
  private var entries = CertificateEntries()
  /// What is served of each entry: the last good version.
  private var certificates: [Certificate?] = []
  /// Nil for what was not read yet.
  private var records: [CertificateRecord?] = []
  private let intermediates = SharedIntermediates()
  private var issuers = KnownIssuers()
  /// What is wrong with which of them, by the path of the chain.
  private var troubles = Troubles<String>()
  /// The first entry of which only the outline was judged; their number when there is none.
  private var firstUnchecked = 0
  private var directories: [String] = []
  private var folderDiagnostics: [Diagnostic] = []

  init(root: String, options: HostingOptions) {
    reader = CertificateReader(root: root)
    self.options = options
  }

  var root: String { reader.root }

  /// Whether there is no certificate that could be served.
  var isEmpty: Bool { certificates.allSatisfy { $0 == nil } }

  /// Reads the folder and every file in it.
  ///
  /// When the folder itself cannot be read, everything stays as it is.
  mutating func loadAll() -> Outcome { load { _ in true } }

  /// Looks through the folder again, and reads the entries to which these names in it belong, or
  /// whose files have become others.
  mutating func reload(names: Set<String>) -> Outcome { load { names.contains($0.topName) } }

  /// What sessions are made with from now on.
  func material(ticketKeys: TicketKeys, standIn: Certificate?) -> TLSMaterial {
    let name = options.defaultCertificate
    // In the order of paths, so that the same files make the same choice.
    let named = entries.indices.filter { !name.isEmpty && entries.isNamed(name, $0) }
    return TLSMaterial.build(
      certificates: certificates.compactMap(\.self), named: named.compactMap { certificates[$0] },
      defaultName: name, ticketKeys: ticketKeys, standIn: standIn, now: Clock.wallSeconds())
  }

  /// What is loaded, for a person.
  var summary: CertificateSummary {
    let certificates = certificates.compactMap(\.self)
    return CertificateSummary(
      folder: root, count: certificates.count, names: certificates.flatMap(\.names.hosts),
      firstExpiry: certificates.map(\.notAfter).min())
  }

  /// What is loaded, one by one, for those who ask.
  var statuses: CertificateStatuses {
    CertificateStatuses(entries: entries, certificates: certificates, troubles: troubles)
  }

  /// What time has changed since the files were read: certificates that have come near their end.
  mutating func tellOfTime() -> [Diagnostic] {
    let now = Clock.wallSeconds()
    var result: [Diagnostic] = []
    for index in entries.indices {
      guard
        let diagnostic = certificates[index]?.timeDiagnostic(
          now: now, warningDays: options.certificateWarningDays),
        records[index]?.told.contains(diagnostic) == false
      else { continue }
      records[index]?.told.add(diagnostic)
      troubles.add(entries.chain(index), [diagnostic])
      result.append(diagnostic)
    }
    return result
  }

  // MARK: Finding what changed unseen

  /// Whether names or files are others than those that were read.
  func isStale() -> Bool {
    guard let (folder, directories) = try? look() else { return true }
    return folder.entries != entries || directories != self.directories
      || entries.indices.contains {
        reader.fingerprint(of: entries[$0]) != records[$0]?.fingerprint
      }
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
  var watchedPaths: WatchedCertificates {
    WatchedCertificates(root: root, directories: directories, entries: entries)
  }

  // MARK: Loading

  /// The entries in the order of their chains' paths, and the folders that were searched.
  ///
  /// - Parameter presuming: that links which are called as files are files: of very many, `load`
  ///   then reads each, and finds out.
  private func look(
    presuming: Bool = false
  ) throws(SystemError) -> (CertificateFolder, directories: [String]) {
    let found = try CertificateSearch(root: root, presumesFiles: presuming).run()
    let folder = CertificateFolder(root: root, paths: found.paths)
    if found.hasPresumed, folder.hasUnusedFiles || folder.entries.count <= Self.inspectedAtOnce {
      return try look()
    }
    return (folder, found.directories)
  }

  private mutating func load(
    isForced: (CertificateFolder.Entry) -> Bool
  ) -> Outcome {
    var outcome = Outcome()
    let folder: CertificateFolder
    do throws(SystemError) {
      (folder, directories) = try look(presuming: records.allSatisfy { $0 == nil })
    } catch {
      // Nobody asked for the default folder: without it there are no certificates.
      if !error.isNotFound || options.isCertificatesFolderExpected || !isEmpty {
        tellOfFolder([unreadableFolder(error)], &outcome)
        outcome.failures = 1
      }
      return outcome
    }
    tellOfFolder(folder.diagnostics, &outcome)
    let isRekeyed = take(folder.entries, &outcome)
    issuers = KnownIssuers()
    if entries.count > Self.inspectedAtOnce, records.allSatisfy({ $0 == nil }) {
      lookAtAll(&outcome)
      let failed = entries.indices.filter { records[$0] == nil }
      if failed.contains(where: { reader.leadsToFolder(entries[$0]) }), let found = try? look() {
        tellOfFolder(found.0.diagnostics, &outcome)
        directories = found.directories
        _ = take(found.0.entries, &outcome)
      }
      for index in entries.indices where records[index] == nil { load(index, &outcome) }
      firstUnchecked = nextUnchecked ?? records.count
      return outcome
    }
    for index in entries.indices {
      let entry = entries[index]
      if let before = records[index], !isRekeyed.contains(index),
        before.isUnchecked || !isForced(entry),
        reader.fingerprint(of: entry) == before.fingerprint
      {
        continue
      }
      load(index, &outcome)
    }
    firstUnchecked = nextUnchecked ?? records.count
    return outcome
  }

  /// Takes the entries that there are now, with what is known of them. Returns those that have
  /// another key file than before.
  private mutating func take(_ new: CertificateEntries, _ outcome: inout Outcome) -> Set<Int> {
    firstUnchecked = 0
    if new == entries { return [] }
    let places = new.indices(in: entries)
    var isGone = Array(repeating: true, count: entries.count)
    var isRekeyed: Set<Int> = []
    for (index, place) in places.enumerated() {
      guard let place else { continue }
      isGone[place] = false
      if !new.hasKey(index, ofEntry: place, in: entries) { isRekeyed.insert(index) }
    }
    for index in entries.indices where isGone[index] {
      troubles.remove(entries.chain(index))
      if certificates[index] != nil { outcome.hasChanged = true }
    }
    certificates = places.map { place in place.flatMap { certificates[$0] } }
    records = places.map { place in place.flatMap { records[$0] } }
    entries = new
    return isRekeyed
  }

  private mutating func load(_ index: Int, _ outcome: inout Outcome) {
    guard let conditions = conditions(&outcome) else { return }
    let entry = entries[index]
    let (before, last) = (records[index], certificates[index])
    var loaded = reader.load(entry, conditions)
    var record = CertificateRecord(
      fingerprint: loaded.fingerprint, isFaulty: loaded.certificate == nil)
    var certificate = loaded.certificate
    if let before, let last {
      if let new = loaded.certificate, last.isSame(as: new) {
        // Sessions and what OpenSSL made of it go on.
        certificate = last
      } else if isBetter(last, than: loaded.certificate, now: conditions.now),
        !before.isUnchecked || before.fingerprint != loaded.fingerprint
      {
        // A file with errors keeps its last good version.
        certificate = last
        for index in loaded.diagnostics.indices where loaded.diagnostics[index].severity == .error {
          loaded.diagnostics[index].note = "its last good version is still served"
        }
      }
    }
    record.told = .init(loaded.diagnostics)
    if record.isFaulty { outcome.failures += 1 }
    troubles.set(
      entry.chain, loaded.diagnostics, isLastGood: record.isFaulty && certificate != nil)
    outcome.diagnostics += loaded.diagnostics.filter { before?.told.contains($0) != true }
    records[index] = record
    if certificate !== last {
      outcome.hasChanged = true
      // Only then: the list is shared with who asks how all stands.
      certificates[index] = certificate
    }
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
  private mutating func lookAtAll(_ outcome: inout Outcome) {
    let conditions = CertificateFile.FirstLookConditions(
      now: Clock.wallSeconds(), warningDays: options.certificateWarningDays,
      intermediates: intermediates)
    let (reader, progress, entries) = (reader, options.certificateProgress, entries)
    let slices = inParallel(entries.count, slice: 64, threads: availableProcessors()) { range in
      defer { progress?(range.count, entries.count) }
      return reader.firstLooks(entries[range], conditions)
    }
    // Each of very many may have the same fault.
    var told: [String: Int] = [:]
    for (index, look) in slices.joined().enumerated() {
      guard let look else { continue }
      let diagnostics = reader.diagnostics(of: look, at: entries[index], conditions)
      certificates[index] = look.certificate
      records[index] = CertificateRecord(
        fingerprint: look.fingerprint, isUnchecked: true, told: .init(diagnostics))
      if !diagnostics.isEmpty {
        troubles.set(entries.chain(index), diagnostics, isLastGood: false)
      }
      outcome.hasChanged = true
      for diagnostic in diagnostics {
        told[diagnostic.code, default: 0] += 1
        if told[diagnostic.code, default: 0] <= LoadingLimits.toldPerCode {
          outcome.diagnostics.append(diagnostic)
        } else {
          outcome.omitted[diagnostic.code, default: 0] += 1
        }
      }
    }
  }

  /// Whether there are certificates of which only the outlines were judged.
  var hasUnchecked: Bool { firstUnchecked < records.count }

  private var nextUnchecked: Int? {
    records[firstUnchecked...].firstIndex { $0?.isUnchecked == true }
  }

  /// Inspects some of them in full: for as long as given, but one at least. A bad one is served no
  /// more.
  mutating func checkSome(milliseconds: Int64) -> Outcome {
    var outcome = Outcome()
    let end = Clock.monotonicMilliseconds() + milliseconds
    while let next = nextUnchecked {
      load(next, &outcome)
      firstUnchecked = next + 1
      if Clock.monotonicMilliseconds() >= end { break }
    }
    firstUnchecked = nextUnchecked ?? records.count
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

extension Maintenance.Report {
  /// Takes what there is to tell of a loading of certificates.
  mutating func tell(of outcome: CertificateLoader.Outcome) {
    diagnostics += outcome.diagnostics
    omitted.merge(outcome.omitted) { $0 + $1 }
  }
}
