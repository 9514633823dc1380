internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// The folder `kept` of the state folder: the versions that the next start serves if their files
/// are still faulty or missing, and the names that are known.
///
/// Belongs to the maintenance thread. Without a state folder it keeps nothing.
struct KeptVersions: ~Copyable {
  /// One version that should be kept.
  struct Wish {
    let key: KeptKey
    /// A number that is different for each version.
    let mark: Int
  }

  /// The mark of a file that the last run wrote.
  static let asWritten = 0

  private let root: String?
  /// Held while this process writes into the folder.
  private let lock: FileLock?
  /// The files in the folder, each with its mark and size.
  private var written: [KeptKey: (mark: Int, bytes: Int)] = [:]
  private var writtenBytes = 0
  /// The maximum size of all files together, in bytes.
  var largestSize = KeepingLimits.keptBytes
  /// The marks of the versions to keep.
  private var wanted: [KeptKey: Int] = [:]
  /// The files to write or remove.
  private var pending: [KeptKey] = []
  /// The files that could not be written, for the next attempt.
  private var failed: [KeptKey] = []
  /// The files for which there was no room, for another attempt later.
  private var unfit: Set<KeptKey> = []
  /// Whether the last write failed.
  private var isDiskFaulty = false
  /// The files that stay as they are: those that a later version of this program wrote, and those
  /// that could not be read.
  private var untouched: Set<KeptKey> = []
  /// The reported fault of each folder.
  private var faults: [KeptKey.Folder: Diagnostic] = [:]
  private var known = KeptNames()

  /// Whether this process has a state folder to itself.
  var isOpen: Bool { root != nil }

  private var kept: String { (root ?? "") + "/kept" }
  private func path(_ folder: KeptKey.Folder) -> String { "\(kept)/\(folder.rawValue)" }
  private func path(_ key: KeptKey) -> String { "\(path(key.folder))/\(key.file)" }

  /// Opens the folder, and makes it if necessary.
  ///
  /// - Parameter found: Receives what the last run kept, and the faults of the folder and its
  ///   files.
  init(_ options: HostingOptions, _ found: inout KeptState) {
    guard let state = options.state else {
      root = nil
      lock = nil
      return
    }
    var fault: Diagnostic?
    do throws(SystemError) {
      for folder in KeptKey.Folder.allCases {
        try makeFolder("\(state)/kept/\(folder.rawValue)", mode: 0o700)
      }
      lock = try FileLock(state + "/kept/lock")
      if lock == nil {
        fault = Diagnostic(
          .stateFolderUnusable, "another server keeps its versions in this folder",
          at: .init(path: state), help: "give each server a state folder of its own",
          note: "nothing is kept for the next start, and nothing can be confirmed here")
      }
    } catch {
      lock = nil
      fault = Diagnostic(
        .stateFolderUnusable, "versions cannot be kept: \(error.reason)", at: .init(path: state),
        help: "let the server's user write there, or name another folder with --state",
        note: "nothing is kept for the next start")
    }
    root = fault == nil ? state : nil
    if let fault {
      found.diagnostics.append(fault)
    } else {
      var later: [String] = []
      for folder in KeptKey.Folder.allCases { read(folder, options, &found, &later) }
      found.known = known.read(kept, &found.diagnostics)
      if known.isLater { later.append("\(kept)/known") }
      // Report one fault for all of them.
      if let first = later.first { found.diagnostics.append(.keptLater(first, of: later.count)) }
    }
  }

  private mutating func read(
    _ folder: KeptKey.Folder, _ options: HostingOptions, _ found: inout KeptState,
    _ later: inout [String]
  ) {
    if let fault = openness(folder) {
      faults[folder] = fault
      found.diagnostics.append(fault)
      return
    }
    // No other program writes there.
    removeTemporaryFiles(in: path(folder), olderThan: -1)
    for file in ((try? listDirectory(path(folder))) ?? []).sorted() {
      guard let key = KeptKey(file: file, in: folder), written.count < KeepingLimits.keptEntries
      else { continue }
      var bytes: [UInt8] = []
      defer { cleanse(&bytes) }
      do throws(SystemError) {
        bytes = try readFile(path(key), limit: largestSize - writtenBytes)
      } catch {
        if !error.isTooLarge {
          untouched.insert(key)
          found.diagnostics.append(.keptUnreadable(path(key), error))
          continue
        }
      }
      if KeptEntry.isLater(bytes) {
        untouched.insert(key)
        later.append(path(key))
        continue
      }
      // The file is removed as soon as nothing of it must be kept.
      note(key, Self.asWritten, bytes.count)
      pending.append(key)
      if found.take(bytes, of: key, options) { continue }
      found.diagnostics.append(.damaged(path(key), keptOf: key.source))
    }
  }

  private mutating func note(_ key: KeptKey, _ mark: Int, _ bytes: Int) {
    writtenBytes += bytes - (written.updateValue((mark, bytes), forKey: key)?.bytes ?? 0)
  }

  // MARK: Keeping

  /// Sets the versions to keep from now on.
  mutating func keep(_ wishes: [Wish]) {
    if root == nil || wishes.isEmpty && wanted.isEmpty { return }
    // If there are too many, prefer those that are already kept.
    let isFull = wishes.count > KeepingLimits.keptEntries
    let chosen = isFull ? wishes.sorted { wanted[$0.key] != nil && wanted[$1.key] == nil } : wishes
    var next: [KeptKey: Int] = [:]
    for wish in chosen.prefix(KeepingLimits.keptEntries) {
      next[wish.key] = wish.mark
      if wanted[wish.key] != wish.mark { pending.append(wish.key) }
    }
    for key in wanted.keys where next[key] == nil { pending.append(key) }
    wanted = next
  }

  /// Returns the number of versions that a restart would lose.
  func lost(of wishes: [Wish]) -> Int {
    wishes.count { written[$0.key]?.mark != $0.mark }
  }

  /// The number of kept certificates.
  var certificates: Int { written.keys.count { $0.folder == .certificates } }

  /// Whether files are to be written or removed.
  var hasWork: Bool { !pending.isEmpty }

  /// Takes the next file to write or remove.
  mutating func takeNext() -> KeptKey? { pending.popLast() }

  /// Writes or removes a file. Returns a diagnostic the first time that this fails.
  mutating func write(_ key: KeptKey, _ entry: KeptEntry?) -> Diagnostic? {
    let wish = wanted[key]
    if untouched.contains(key) { return nil }
    if wish != nil, written[key]?.mark == wish { return nil }
    do throws(SystemError) {
      guard let wish, let entry else { return try remove(key) }
      if let fault = openness(key.folder) { return fail(key, fault) }
      // One write per attempt is enough to find out whether the disk works again.
      if isDiskFaulty {
        failed.append(key)
        return nil
      }
      var bytes = entry.encoded
      defer { cleanse(&bytes) }
      if !hasRoom(for: key, bytes.count) {
        defer { unfit.insert(key) }
        return try remove(key)
      }
      try writeFileAtomically(path(key), bytes, mode: 0o600)
      note(key, wish, bytes.count)
      faults[key.folder] = nil
      return nil
    } catch {
      isDiskFaulty = true
      return fail(
        key,
        Diagnostic(
          .stateFolderUnusable, "a version cannot be kept: \(error.reason)",
          at: .init(path: path(key)),
          help: "check the disk, and whether the server's user may write there",
          note: "a restart would lose it"))
    }
  }

  private mutating func remove(_ key: KeptKey) throws(SystemError) -> Diagnostic? {
    guard let file = written[key] else { return nil }
    try removeFile(path(key))
    written[key] = nil
    writtenBytes -= file.bytes
    pending += unfit
    unfit = []
    return nil
  }

  private mutating func fail(_ key: KeptKey, _ fault: Diagnostic) -> Diagnostic? {
    failed.append(key)
    let isKnown = faults.updateValue(fault, forKey: key.folder) != nil
    return isKnown ? nil : fault
  }

  /// Schedules everything that failed for another attempt.
  mutating func retry() {
    pending += failed
    failed = []
    isDiskFaulty = false
  }

  /// Returns a fault if other users may read a folder with keys; otherwise nil.
  private func openness(_ folder: KeptKey.Folder) -> Diagnostic? {
    let path = path(folder)
    guard folder == .certificates, let mode = (try? status(path))?.mode, mode & 0o077 != 0 else {
      return nil
    }
    return Diagnostic(
      .stateFolderUnusable,
      "other users may open this folder (mode \(String(mode & 0o777, radix: 8))), and private keys "
        + "would be in it",
      at: .init(path: path), help: "chmod 700 \(path)", note: "no certificate is kept")
  }

  private func hasRoom(for key: KeptKey, _ bytes: Int) -> Bool {
    writtenBytes - (written[key]?.bytes ?? 0) + bytes <= largestSize
  }

  // MARK: Names

  /// Notes that the known names have changed.
  mutating func noteNames() { known.hasChanged = true }

  /// Returns the milliseconds until the names should be written; nil if they have not changed.
  func delayOfNames(now: Int64) -> Int64? { root == nil ? nil : known.delay(now: now) }

  /// Lets the next write of changed names happen at once.
  mutating func hurryNames() { known.hurry() }

  /// Writes the known names. Returns a diagnostic the first time that this fails.
  mutating func write(_ names: some Sequence<DomainName>, now: Int64) -> Diagnostic? {
    root == nil ? nil : known.write(names, in: kept, now: now)
  }
}
