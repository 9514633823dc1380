internal import Diagnostics
internal import Posix
internal import Settings
internal import Synchronization
internal import TLS

/// A version that the next start needs.
struct KeptFile: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    /// With its key. Without the bytes until they are written, because a key should be in memory
    /// once.
    case certificate(Certificate)
  }

  /// A number that is different for each version, and not 0.
  let mark: Int
  /// Seconds since 1970; nil for when it is written.
  var modified: Int64?
  let content: Content

  /// The caller cleanses those of a certificate.
  var bytes: [UInt8] {
    switch content {
    case .bytes(let bytes): bytes
    case .certificate(let certificate): certificate.pem()
    }
  }

  /// The size, in bytes; for a certificate, that of a large one.
  var size: Int {
    if case .bytes(let bytes) = content { bytes.count } else { 16_384 }
  }
}

/// What the folder `kept` should have.
struct KeptWishes: Sendable {
  /// By the path in the folder.
  var files: [String: KeptFile] = [:]
  /// The missing names whose loss awaits confirmation, with their folders.
  var held: Set<String> = []

  static func + (one: KeptWishes, other: KeptWishes) -> KeptWishes {
    KeptWishes(
      files: one.files.merging(other.files) { $1 }, held: one.held.union(other.held))
  }

  func isSame(as other: KeptWishes) -> Bool {
    held == other.held && files.count == other.files.count
      && files.allSatisfy { other.files[$0.key]?.mark == $0.value.mark }
  }
}

/// What the folder `kept` has.
struct KeptResult: Sendable {
  /// The files that are as they should be, with the marks of their versions.
  var written: [String: Int] = [:]
  /// Certificates that are not kept, because their revocation was requested.
  var revoked: Set<String> = []
  var areNamesWritten = false
  /// Whether the known names should be written, although they have not changed.
  var areNamesLost = false
}

/// Keeps versions and names for the next start, on a thread of its own: the disk may never answer,
/// and nothing waits for it. Without a state folder it keeps nothing.
final class KeptVersions: Sendable {
  private let work: KeptWork?

  /// Begins to read what the last run kept.
  ///
  /// - Parameter news: Called on the thread when there is something to take.
  init(
    _ options: HostingOptions, _ domains: DomainReader, _ certificates: CertificateReader?,
    news: @escaping @Sendable () -> Void = {}
  ) throws(SystemError) {
    work = try options.state.map { state throws(SystemError) in
      try KeptWork(state, LastRunReader(options, domains, certificates), news)
    }
    try work?.start()
  }

  deinit { work?.thread.stop() }

  /// Waits for what the last run kept, as long as the disk goes on answering.
  func lastRun(patience: Int64 = KeepingLimits.patience) -> LastRun {
    work?.lastRun(patience) ?? LastRun()
  }

  // MARK: Keeping

  /// Sets what to keep from now on.
  func keep(_ wishes: KeptWishes) {
    guard let work else { return }
    let isNew = work.state.withLock { state in
      if state.wishes.map(wishes.isSame) == true { return false }
      state.wishes = wishes
      state.asked += 1
      return true
    }
    if isNew { work.thread.wake() }
  }

  /// Sets the names in the domains folder.
  func keep(names: [DomainName]) {
    work?.state.withLock { state in
      (state.known, state.areNamesChanged) = (names, false)
      state.nextNames = Clock.monotonicMilliseconds() + KeepingLimits.namesPause
      state.asked += 1
    }
    work?.thread.wake()
  }

  /// Checks soon whether everything is still there, and tries again what failed.
  func look() {
    work?.state.withLock { state in
      state.isLooking = true
      state.asked += 1
    }
    work?.thread.wake()
  }

  /// Waits until everything is done that was asked for. Returns false if that takes longer.
  @discardableResult
  func finish(milliseconds: Int64) -> Bool {
    let end = Deadline(afterMilliseconds: milliseconds)
    while let work, work.state.withLock({ $0.done < $0.asked }) {
      if end.isOver { return false }
      work.finished.acknowledge()
      if work.state.withLock({ $0.done >= $0.asked }) { break }
      _ = work.finished.descriptor.waitUntilReady(forWriting: false, until: end)
    }
    return true
  }

  /// Ends the thread. Returns false if it hangs.
  @discardableResult
  func stop() -> Bool {
    work?.thread.stop()
    return work?.thread.hasEnded() ?? true
  }

  // MARK: Names

  /// Notes that the known names have changed.
  func noteNames() { work?.state.withLock { $0.areNamesChanged = true } }

  /// Lets changed names be written at once.
  func hurryNames() { work?.state.withLock { $0.nextNames = .min } }

  /// Returns the milliseconds until the names should be written; nil if they have not changed.
  func delayOfNames(now: Int64) -> Int64? {
    work?.state.withLock { $0.areNamesChanged ? max(0, max($0.nextNames, 0) - now) : nil }
  }

  // MARK: Results

  /// Removes and returns the diagnostics to report, and the IDs in the file `confirm`; nil if there
  /// is nothing new.
  func takeNews() -> (diagnostics: [Diagnostic], confirmations: Set<String>?)? {
    work?.state.withLock { state in
      if !state.hasNews { return nil }
      defer { (state.hasNews, state.diagnostics, state.confirmations) = (false, [], nil) }
      return (state.diagnostics, state.confirmations)
    }
  }

  /// Returns the number of versions that a restart would lose.
  func lost(of wishes: KeptWishes) -> Int {
    guard let work else { return wishes.files.count }
    return work.state.withLock { state in
      wishes.files.count {
        state.result.written[$0.key] != $0.value.mark && !state.result.revoked.contains($0.key)
      }
    }
  }

  /// The number of kept certificates.
  var certificates: Int {
    work?.state.withLock { state in
      state.result.written.keys.count { $0.hasPrefix("certificates/") }
    } ?? 0
  }

  /// The file or folder for which the disk does not answer, and since when, in milliseconds of the
  /// monotonic clock; nil if it answers.
  var hang: (path: String, since: Int64)? {
    guard let current = work?.state.withLock({ $0.current }),
      Clock.monotonicMilliseconds() - current.since >= KeepingLimits.patience
    else { return nil }
    return current
  }
}

/// The thread of `KeptVersions`, and what it shares with others.
private final class KeptWork: Sendable {
  struct State {
    /// Nil until something should be kept.
    var wishes: KeptWishes?
    /// The names to write; nil if they are as written.
    var known: [DomainName]?
    var areNamesChanged = true
    /// When the names may be written again.
    var nextNames = Int64.min
    var isLooking = false
    /// The numbers of the last request, and of the last one that was done.
    var asked = 0
    var done = 0
    /// What the thread is doing, and since when.
    var current: (path: String, since: Int64)?
    var result = KeptResult()
    var lastRun: LastRun?
    /// Whether nobody waits for the last run any more.
    var isLate = false
    var hasNews = false
    var diagnostics: [Diagnostic] = []
    var confirmations: Set<String>?
  }

  let state = Mutex(State())
  let thread: StoppableThread
  let finished: Wakeup
  private let root: String
  private let reader: LastRunReader
  private let wasRead: Completion
  private let news: @Sendable () -> Void

  init(
    _ root: String, _ reader: LastRunReader, _ news: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    thread = try StoppableThread()
    finished = try Wakeup()
    wasRead = try Completion()
    (self.root, self.reader, self.news) = (root, reader, news)
  }

  func start() throws(SystemError) {
    try thread.start(named: "keeping") { [self] in run() }
  }

  private func run() {
    var shadow = ShadowFolder(root, reader)
    note(ShadowFolder.root(root))
    let run = shadow.read { note(ShadowFolder.root(root)) }
    let isLate = state.withLock { state in
      if !state.isLate { state.lastRun = run }
      state.current = nil
      return state.isLate
    }
    if isLate { shadow.forgetLastRun() }
    wasRead.signal()
    repeat { work(&shadow) } while thread.pause(milliseconds: 3_600_000)
  }

  private func work(_ shadow: inout ShadowFolder) {
    while !thread.isStopping {
      let next = state.withLock { state in
        defer { (state.known, state.isLooking) = (nil, false) }
        return (state.asked, state.done, state.wishes, state.known, state.isLooking)
      }
      let (asked, done, wishes, known, isLooking) = next
      if asked == done { return }
      note(root)
      let confirmations = isLooking ? takeConfirmations(in: root) : nil
      let result = wishes.map {
        shadow.bring(to: $0, known: known, isLook: isLooking, progress: note)
      }
      let diagnostics = shadow.takeNews()
      let hasNews = state.withLock { state in
        state.current = nil
        state.done = asked
        if let result {
          let areSame = state.result.written == result.written
          state.hasNews = state.hasNews || !areSame
          state.result = result
          if known != nil && !result.areNamesWritten { state.areNamesChanged = true }
          if result.areNamesLost {
            (state.areNamesChanged, state.nextNames) = (true, .min)
            state.hasNews = true
          }
        }
        state.diagnostics += diagnostics
        if let confirmations { state.confirmations = confirmations }
        state.hasNews = state.hasNews || !diagnostics.isEmpty || confirmations != nil
        return state.hasNews
      }
      finished.signal()
      if hasNews { news() }
    }
  }

  private func note(_ path: String) {
    let now = Clock.monotonicMilliseconds()
    state.withLock { $0.current = (path, now) }
  }

  func lastRun(_ patience: Int64) -> LastRun {
    while !wasRead.wait(until: Deadline(afterMilliseconds: 50)) {
      let run = state.withLock { state -> LastRun? in
        guard let (path, since) = state.current,
          Clock.monotonicMilliseconds() - since >= patience
        else { return nil }
        state.isLate = true
        var run = LastRun()
        run.diagnostics = [.lastRunSilent(path)]
        return run
      }
      if let run { return run }
    }
    return state.withLock { state in
      defer { state.lastRun = nil }
      return state.lastRun ?? LastRun()
    }
  }
}

/// Reads and removes the file `confirm` of the state folder, and returns its IDs; nil if there is no
/// file.
func takeConfirmations(in state: String) -> Set<String>? {
  let path = state + "/confirm"
  guard let bytes = try? readFile(path, limit: 1 << 20) else { return nil }
  try? removeFile(path)
  let words = bytes.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
  return Set(words)
}

extension Diagnostic {
  /// The state folder does not answer at the start.
  fileprivate static func lastRunSilent(_ path: String) -> Diagnostic {
    Diagnostic(
      .fileSystemSilent, "the state folder does not answer", at: .init(path: path),
      note: "the start goes on without the versions that the last run kept; they stay for another")
  }
}
