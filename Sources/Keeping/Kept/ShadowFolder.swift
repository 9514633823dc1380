internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// The folder `kept` of the state folder: what the next start serves where it finds nothing better,
/// as files in the layout that users write.
///
/// ```
/// domains/…        versions of the domains folder; their dates are those of the files
/// certificates/…   each with its key, by the path of the chain
/// known            the names in the domains folder
/// held             the missing names whose loss awaits confirmation, as domains/HOST or
///                  certificates/CHAIN
/// lock             held by the server that writes here
/// ```
///
/// Belongs to one thread, because the disk may never answer.
struct ShadowFolder: ~Copyable {
  private let store: Store
  private let reader: LastRunReader
  private var lock: FileLock?
  /// The files in the folder, each with the mark of its version; 0 if the last run wrote it.
  private var written: [String: Int] = [:]
  private var writtenHeld: Set<String>?
  /// Files of the last run that could not be read. They stay for another start.
  private var unread: Set<String> = []
  /// What was reported, until it works again.
  private var faults: Set<String> = []
  private var news: [Diagnostic] = []
  /// Whether another process may have written the names since this one did.
  private var areNamesForeign = false
  /// The maximum size of all files together, in bytes.
  var largestSize = KeepingLimits.keptBytes

  private static let depth = 3
  private static let folders = ["domains", "certificates"]

  static func root(_ state: String) -> String { state + "/kept" }

  init(_ state: String, _ reader: LastRunReader) {
    store = Store(Self.root(state))
    self.reader = reader
  }

  mutating func takeNews() -> [Diagnostic] {
    defer { news = [] }
    return news
  }

  /// Reports a fault once, until it is over.
  private mutating func report(_ subject: String, _ fault: Diagnostic?) {
    guard let fault else {
      faults.remove(subject)
      return
    }
    if faults.insert(subject).inserted { news.append(fault) }
  }

  // MARK: The last run

  /// Reads what the last run kept, also while another server writes there.
  ///
  /// - Parameter progress: Called after each step.
  mutating func read(progress: () -> Void) -> LastRun {
    open()
    progress()
    var run = LastRun()
    run.known = Set(names(in: "known", &run).compactMap { DomainName(entryName: $0) })
    let held = names(in: "held", &run)
    run.held = Set(
      held.compactMap { Self.name($0, in: "domains") }.compactMap { DomainName(entryName: $0) })
    unread = Set(reader.readEntries(&run, progress: progress))
    if checkSecrecy() {
      let chains = Set(held.compactMap { Self.name($0, in: "certificates") })
      unread.formUnion(reader.readCertificates(&run, in: store, held: chains, progress: progress))
    } else {
      unread.formUnion(store.files(in: "certificates", depth: Self.depth))
    }
    run.diagnostics += takeNews()
    return run
  }

  /// Lets all files of the last run stay, because its end came too late for them to be used.
  mutating func forgetLastRun() { unread = present }

  private func names(in file: String, _ run: inout LastRun) -> [String] {
    do throws(StoreFault) {
      let bytes = try store.read(file, limit: KeepingLimits.knownBytes) ?? []
      return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      run.diagnostics.append(
        .keptUnreadable(
          store.path(file),
          Diagnostic(.stateFolderUnusable, "the file cannot be read: \(error.reason)")))
      return []
    }
  }

  private static func name(_ line: String, in folder: String) -> String? {
    line.hasPrefix(folder + "/") ? String(line.dropFirst(folder.count + 1)) : nil
  }

  private var present: Set<String> {
    Set(Self.folders.flatMap { store.files(in: $0, depth: Self.depth) })
  }

  // MARK: The folder

  /// Makes the folder and takes the lock, if necessary. Returns whether this process may write.
  @discardableResult
  private mutating func open() -> Bool {
    let path = store.path("lock")
    if lock?.isAt(path) == true { return true }
    do throws(StoreFault) {
      lock = nil
      for folder in Self.folders { try store.make(folder) }
      lock = try store.lock("lock")
    } catch {
      let root = store.root
      report("folder", .notKept(root, error))
      return false
    }
    report("folder", nil)
    for folder in Self.folders { store.removeTemporaryFiles(in: folder, depth: Self.depth) }
    (written, writtenHeld, areNamesForeign) = ([:], nil, true)
    return true
  }

  private mutating func checkSecrecy() -> Bool {
    do throws(StoreFault) {
      try store.checkSecrecy(of: "certificates")
      return true
    } catch {
      let path = store.path("certificates")
      report("certificates", .open(path, error))
      return false
    }
  }

  // MARK: Keeping

  /// Makes the folder what it should be. Does nothing while another server writes there.
  ///
  /// - Parameters:
  ///   - wishes: The versions that the folder should have.
  ///   - known: The names in the domains folder; nil if they are as written.
  ///   - isLook: Whether files may have been removed behind the server's back.
  mutating func bring(
    to wishes: KeptWishes, known: [DomainName]?, isLook: Bool, progress: (String) -> Void
  ) -> KeptResult {
    progress(store.root)
    var result = KeptResult()
    guard open() else { return result }
    let lists = store.files(in: "")
    if isLook || written.isEmpty {
      let present = present
      written = written.filter { present.contains($0.key) }
      for file in present where written[file] == nil { written[file] = 0 }
      if !lists.contains("held") { writtenHeld = nil }
    }
    // Before the files, because a missing file counts only if its name is held.
    if wishes.held != writtenHeld, write("held", wishes.held.sorted()) {
      writtenHeld = wishes.held
    }
    if let known {
      result.areNamesWritten = write("known", known.map(\.entryName))
      if result.areNamesWritten { areNamesForeign = false }
    } else {
      result.areNamesLost = areNamesForeign || !lists.contains("known")
    }
    let files = chosen(wishes.files, &result)
    for file in written.keys.sorted() where files[file] == nil && !unread.contains(file) {
      progress(store.path(file))
      if (try? store.remove(file)) != nil { written[file] = nil }
    }
    let due = files.filter { written[$0.key] != $0.value.mark }.sorted { $0.key < $1.key }
    var failed: [String: StoreFault] = [:]
    for start in stride(from: 0, to: due.count, by: KeepingLimits.batch) {
      let end = min(start + KeepingLimits.batch, due.count)
      failed.merge(write(due[start..<end], progress)) { $1 }
    }
    let fault = failed.min { $0.key < $1.key }
    let diagnostic = fault.map { Diagnostic.notWritten(store.path($0.key), $0.value) }
    report("version", diagnostic)
    result.written = written.filter { files[$0.key]?.mark == $0.value }
    return result
  }

  /// The files that may be kept, and for which there is room. Prefers those that are there.
  private mutating func chosen(
    _ files: [String: KeptFile], _ result: inout KeptResult
  ) -> [String: KeptFile] {
    var chosen: [String: KeptFile] = [:]
    var bytes = 0
    let isSecret = files.keys.contains { $0.hasPrefix("certificates/") } && checkSecrecy()
    if isSecret { report("certificates", nil) }
    for (path, file) in files.sorted(by: { (rank($0.key), $0.key) < (rank($1.key), $1.key) }) {
      if case .certificate(let certificate) = file.content {
        if reader.isRevoked(certificate) {
          result.revoked.insert(path)
          continue
        }
        if !isSecret { continue }
      }
      if chosen.count == KeepingLimits.keptFiles { break }
      if bytes + file.size > largestSize { continue }
      bytes += file.size
      chosen[path] = file
    }
    return chosen
  }

  private func rank(_ path: String) -> Int { written[path] == nil ? 1 : 0 }

  private mutating func write(
    _ files: ArraySlice<(key: String, value: KeptFile)>, _ progress: (String) -> Void
  ) -> [String: StoreFault] {
    var batch = StoreBatch(store)
    var failed: [String: StoreFault] = [:]
    for (path, file) in files {
      progress(store.path(path))
      // No other reference to a key's bytes may be alive when they are overwritten.
      var bytes = file.bytes
      defer { if case .certificate = file.content { cleanse(&bytes) } }
      do throws(StoreFault) {
        try batch.add(path, bytes, modified: file.modified)
      } catch {
        failed[path] = error
      }
    }
    failed.merge(batch.commit()) { $1 }
    for (path, file) in files where failed[path] == nil { written[path] = file.mark }
    return failed
  }

  private mutating func write(_ file: String, _ names: [String]) -> Bool {
    var lines: [UInt8] = []
    for name in names {
      if lines.count + name.utf8.count >= KeepingLimits.knownBytes { break }
      lines += name.utf8
      lines.append(0x0A)
    }
    do throws(StoreFault) {
      try store.write(file, lines)
      report(file, nil)
      return true
    } catch {
      let path = store.path(file)
      report(file, .namesNotWritten(path, error))
      return false
    }
  }
}

extension Diagnostic {
  fileprivate static func notKept(_ path: String, _ fault: StoreFault) -> Diagnostic {
    if fault == .locked {
      return Diagnostic(
        .stateFolderUnusable, "another server keeps its versions in this folder",
        at: .init(path: parentFolder(path)),
        help: "give each server a state folder of its own, unless that one is about to end",
        note: "what it kept is used; until it ends, nothing is kept for the next start")
    }
    return Diagnostic(
      .stateFolderUnusable, "versions cannot be kept: \(fault.reason)",
      at: .init(path: parentFolder(path)),
      help: "let the server's user write there, or name another folder with --state",
      note: "nothing is kept for the next start")
  }

  fileprivate static func open(_ path: String, _ fault: StoreFault) -> Diagnostic {
    var mode = ""
    if case .open(let bits) = fault { mode = " (mode \(String(bits, radix: 8)))" }
    return Diagnostic(
      .stateFolderUnusable,
      "other users may open this folder\(mode), and private keys would be in it",
      at: .init(path: path), help: "chmod 700 \(path)", note: "no certificate is kept")
  }

  fileprivate static func notWritten(_ path: String, _ fault: StoreFault) -> Diagnostic {
    Diagnostic(
      .stateFolderUnusable, "a version cannot be kept: \(fault.reason)", at: .init(path: path),
      help: fault.help, note: "a restart would lose it")
  }

  fileprivate static func namesNotWritten(_ path: String, _ fault: StoreFault) -> Diagnostic {
    Diagnostic(
      .stateFolderUnusable, "the names of the domains cannot be kept: \(fault.reason)",
      at: .init(path: path), help: fault.help,
      note: "the next start cannot distinguish an empty folder from one that is not mounted")
  }
}

extension StoreFault {
  fileprivate var help: String {
    if case .full = self { return "free space on its disk" }
    return "check the disk, and whether the server's user may write there"
  }
}
