internal import Diagnostics
internal import Posix
internal import Settings
internal import Synchronization
internal import TLS

/// A file to write to the folder `kept`. The file contains a version that the next start needs.
struct KeptFile: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    /// The certificate with its key. The key is not copied until it is written.
    case certificate(Certificate)
  }

  /// A hash of the version. The hash is never 0, because 0 means that the last run wrote the file.
  let mark: Int
  /// The modification time of the kept file, in seconds since 1970. If nil, the file gets the time
  /// at which it is written.
  var modified: Int64?
  let content: Content
}

/// What the folder `kept` should contain.
struct KeptWishes: Sendable {
  /// The files, by their paths in the folder `kept`.
  var files: [String: KeptFile] = [:]
  /// The missing names whose loss awaits confirmation. Each name follows the name of its folder, as
  /// in `domains/HOST`.
  var held: Set<String> = []
  /// For each host that is in several lists, the entry that serves the host.
  var owners: [DomainName: DomainName] = [:]

  func isSame(as other: KeptWishes) -> Bool {
    held == other.held && owners == other.owners && files.count == other.files.count
      && files.allSatisfy { other.files[$0.key]?.mark == $0.value.mark }
  }
}

/// Keeps versions and names for the next start. The disk may never answer, and other work must not
/// wait for the disk. Therefore, this type has its own thread.
final class KeptVersions: Sendable {
  private struct State {
    /// The versions and names to keep; nil until the first request.
    var wishes: KeptWishes?
    /// The names in the domains folder; nil if the thread already has them.
    var names: [DomainName]?
    var (isLooking, isUrgent) = (false, false)
    /// The number of requests so far, and the number of the last request that was completed.
    var (asked, done) = (0, 0)
    /// The path that the thread is reading or writing, and when it began to do so; nil if the
    /// thread is idle.
    var current: (path: String, since: Int64)?
    var lastRun: LastRun?
    /// Whether the caller has stopped waiting for the versions of the last run.
    var isLate = false
    /// Whether this process may write to the folder.
    var isOwner = false
    /// The last result of `ShadowFolder.bring`: the files that are up to date, and the certificates
    /// that must not be kept.
    var kept: (written: [String: Int], revoked: Set<String>) = ([:], [])
    /// The diagnostics that the thread has found since the last call of `takeNews`. Nil if the
    /// thread has found none and `kept` has not changed since then.
    var news: [Diagnostic]?
  }

  private let state = Mutex(State())
  private let thread: StoppableThread
  private let finished: Wakeup
  private let root: String
  private let noteNews: @Sendable () -> Void

  /// Starts to read the versions and names that the last run kept. Returns nil if there is no state
  /// folder.
  ///
  /// - Parameter noteNews: Called on the thread when `takeNews` has something to return.
  init?(
    _ options: HostingOptions, _ domains: DomainReader, _ certificates: CertificateReader?,
    noteNews: @escaping @Sendable () -> Void = {}
  ) throws(SystemError) {
    guard let root = options.state else { return nil }
    (self.root, self.noteNews) = (root, noteNews)
    thread = try StoppableThread()
    finished = try Wakeup()
    note(root)
    let reader = LastRunReader(options, domains, certificates)
    try thread.start(named: "keeping") { [self] in run(ShadowFolder(root, reader)) }
  }

  /// Waits until the versions and names that the last run kept have been read, and returns them.
  /// Stops waiting if the disk does not answer.
  func takeLastRun() -> LastRun {
    wait(milliseconds: .max / 2) { $0.lastRun != nil || Self.hang($0) != nil }
    return state.withLock { state in
      defer { state.lastRun = nil }
      if let run = state.lastRun { return run }
      state.isLate = true
      return LastRun(diagnostics: [.lastRunSilent(state.current?.path ?? root)])
    }
  }

  // MARK: Requests to the thread

  private func ask(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.asked += 1
    }
    thread.wake()
  }

  /// Sets the versions and names to keep, in place of the previous ones.
  ///
  /// - Parameter names: The names in the domains folder; nil if they have not changed.
  func keep(_ wishes: KeptWishes, names: [DomainName]?) {
    if names == nil, state.withLock({ $0.wishes?.isSame(as: wishes) }) == true { return }
    ask {
      $0.wishes = wishes
      if let names { $0.names = names }
    }
  }

  /// Makes the thread check soon whether all files still exist, and retry failed writes.
  func look() { ask { $0.isLooking = true } }

  /// Makes the thread write everything immediately, and waits until the thread has finished.
  /// Returns false if the thread takes too long.
  @discardableResult
  func finish(milliseconds: Int64 = KeepingLimits.longestEnd) -> Bool {
    ask { $0.isUrgent = true }
    return wait(milliseconds: milliseconds) { $0.done >= $0.asked }
  }

  /// Stops the thread. Returns false if the thread hangs.
  func stop() -> Bool {
    thread.stop()
    return thread.hasEnded()
  }

  @discardableResult
  private func wait(milliseconds: Int64, _ isOver: (State) -> Bool) -> Bool {
    let end = Deadline(afterMilliseconds: milliseconds)
    while true {
      finished.acknowledge()
      if state.withLock({ isOver($0) }) { return true }
      if end.isOver { return false }
      _ = finished.descriptor.waitUntilReady(
        forWriting: false, until: end.capped(toMilliseconds: 100))
    }
  }

  // MARK: Results of the thread

  /// Removes and returns the thread's new diagnostics. Returns nil if there are none and the kept
  /// files have not changed.
  func takeNews() -> [Diagnostic]? { state.withLock { $0.news.take() } }

  /// Returns the number of versions that a restart would lose.
  func lost(of wishes: KeptWishes) -> Int {
    let kept = state.withLock { $0.kept }
    return wishes.files.count {
      kept.written[$0.key] != $0.value.mark && !kept.revoked.contains($0.key)
    }
  }

  /// Whether this process may write to the folder. If two processes use the same folder, the second
  /// process only reads it.
  var isOwner: Bool { state.withLock { $0.isOwner } }

  /// The number of kept certificates.
  var certificates: Int {
    state.withLock { $0.kept.written.keys.count { $0.hasPrefix("certificates/") } }
  }

  /// The path for which the thread waits because the disk does not answer, and when the thread
  /// began to wait, in milliseconds of the monotonic clock. Nil if the disk answers.
  var hang: (path: String, since: Int64)? { state.withLock { Self.hang($0) } }

  private static func hang(_ state: State) -> (path: String, since: Int64)? {
    guard let current = state.current,
      Clock.monotonicMilliseconds() - current.since >= KeepingLimits.patience
    else { return nil }
    return current
  }

  // MARK: Code that runs on the thread

  private func run(_ shadow: consuming ShadowFolder) {
    let run = shadow.read(progress: note)
    let isLate = state.withLock { state in
      (state.lastRun, state.current) = (state.isLate ? nil : run, nil)
      state.isOwner = shadow.isOwner
      return state.isLate
    }
    if isLate { shadow.forgetLastRun(run) }
    finished.signal()
    repeat {
      while work(&shadow) {}
    } while thread.pause(milliseconds: shadow.pause)
  }

  /// Carries out the requests. Returns false if there were no requests and no names to write.
  private func work(_ shadow: inout ShadowFolder) -> Bool {
    let next = state.withLock { state in
      defer { (state.names, state.isLooking, state.isUrgent) = (nil, false, false) }
      return state
    }
    guard next.asked != next.done || shadow.pause == 0, !thread.isStopping else { return false }
    note(root)
    var kept = next.kept
    if let wishes = next.wishes {
      if let names = next.names { shadow.know(names) }
      kept = shadow.bring(
        to: wishes, isLook: next.isLooking, isUrgent: next.isUrgent, progress: note)
    }
    let diagnostics = shadow.takeNews()
    let hasNews = state.withLock { state in
      let isSame = state.kept == kept && diagnostics.isEmpty
      (state.current, state.done, state.kept) = (nil, next.asked, kept)
      state.isOwner = shadow.isOwner
      if !isSame { state.news = (state.news ?? []) + diagnostics }
      return state.news != nil
    }
    finished.signal()
    if hasNews { noteNews() }
    return true
  }

  private func note(_ path: String) {
    let now = Clock.monotonicMilliseconds()
    state.withLock { $0.current = (path, now) }
  }
}
