internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// The folder `kept` in the state folder. If the users' files contain no better version, the next
/// start serves the version in this folder. The kept files have the same layout as the users'
/// files.
///
/// ```
/// domains/…        versions of files in the domains folder, with the files' modification times
/// certificates/…   certificates with their keys, by the path of the chain
/// known            the names in the domains folder
/// held             the missing names whose loss awaits confirmation, as domains/HOST or
///                  certificates/CHAIN
/// owners           the hosts that are in several lists, each with the entry that serves the host
/// lock             a file that is locked by the server that writes to this folder
/// ```
///
/// Only one thread uses this value. The thread does no other work, because the disk may never
/// answer.
struct ShadowFolder: ~Copyable {
  private let store: Store
  private let reader: LastRunReader
  /// The maximum number of files, and the maximum of their total bytes. Certificates have no limit
  /// on their bytes.
  private let (mostFiles, mostBytes): (Int, Int)
  private var lock: FileLock?
  /// The files in the folder, each with the mark of its version. The mark is 0 if the last run
  /// wrote the file.
  private var written: [String: Int] = [:]
  /// The files of the last run that could not be read. They are not removed, because a later start
  /// may be able to read them.
  private var unread: Set<String> = []
  /// The names whose loss awaited confirmation when the last run ended. Only set if these names
  /// were read too late to be used.
  private var lateHeld: Set<String> = []
  /// The lines that were last written to the files `held` and `owners`.
  private var lists: [String: [String]] = [:]
  /// The names in the domains folder; nil as long as the names of the last run are still valid.
  private var names: [DomainName]?
  private var areNamesWritten = false
  /// The earliest time at which the names may be written again, in milliseconds of the monotonic
  /// clock.
  private var nextNames = Int64.min
  /// The subjects with a fault that was reported and still exists.
  private var faults: Set<Subject> = []
  private var news: [Diagnostic] = []

  private static let folders = ["domains", "certificates"]
  /// The maximum depth of the files below `domains` and `certificates`. Files in `.well-known` have
  /// this depth.
  private static let depth = 3

  static func root(_ state: String) -> String { state + "/kept" }

  init(
    _ state: String, _ reader: LastRunReader, files: Int = KeepingLimits.keptFiles,
    bytes: Int = KeepingLimits.keptBytes
  ) {
    store = Store(Self.root(state))
    self.reader = reader
    (mostFiles, mostBytes) = (files, bytes)
  }

  /// Sets the names to write to the file `known`.
  mutating func know(_ names: [DomainName]) { (self.names, areNamesWritten) = (names, false) }

  mutating func takeNews() -> [Diagnostic] {
    defer { news = [] }
    return news
  }

  // MARK: Reading what the last run kept

  /// Reads the versions and names that the last run kept. Another server may write to the folder at
  /// the same time.
  ///
  /// - Parameter progress: Called before each step, with the path that the step reads.
  mutating func read(progress: (String) -> Void) -> LastRun {
    open()
    progress(store.root)
    var run = LastRun()
    run.known = Set(lines(of: "known", &run).compactMap { DomainName(entryName: $0) })
    run.heldLines = Set(lines(of: "held", &run))
    for line in lines(of: "owners", &run) {
      let names = line.split(separator: " ").map { DomainName(entryName: String($0)) }
      if names.count == 2, let host = names[0] { run.owners[host] = names[1] }
    }
    unread = Set(reader.readEntries(&run, progress: progress))
    if checkSecrecy() {
      unread.formUnion(reader.readCertificates(&run, in: store, progress: progress))
    } else {
      unread.formUnion(store.files(in: "certificates", depth: Self.depth))
    }
    run.diagnostics += takeNews()
    return run
  }

  /// Keeps all files of the last run, because their versions were read too late to be used.
  mutating func forgetLastRun(_ run: LastRun) {
    unread = present
    lateHeld = run.heldLines
  }

  /// Whether this process may write to the folder.
  var isOwner: Bool { lock != nil }

  private func lines(of file: String, _ run: inout LastRun) -> [String] {
    do throws(StoreFault) {
      let bytes = try store.read(file, limit: KeepingLimits.knownBytes) ?? []
      return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      run.diagnostics.append(.keptUnreadable(store.path(file), error.reason))
      return []
    }
  }

  private var present: Set<String> {
    Set(Self.folders.flatMap { store.files(in: $0, depth: Self.depth) })
  }

  // MARK: Creating and locking the folder

  /// If necessary, creates the folder and takes the lock. Returns whether this process may write to
  /// the folder.
  @discardableResult
  private mutating func open() -> Bool {
    if lock?.isAt(store.path("lock")) == true { return true }
    do throws(StoreFault) {
      lock = nil
      for folder in Self.folders { try store.make(folder) }
      lock = try store.lock("lock")
    } catch {
      report(.folder, parentFolder(store.root), error)
      return false
    }
    report(.folder, "", nil)
    for folder in Self.folders { store.removeTemporaryFiles(in: folder, depth: Self.depth) }
    (written, lists) = ([:], [:])
    (areNamesWritten, nextNames) = (false, .min)
    return true
  }

  private mutating func checkSecrecy() -> Bool {
    var fault: StoreFault?
    do throws(StoreFault) { try store.checkSecrecy(of: "certificates") } catch { fault = error }
    report(.certificates, store.path("certificates"), fault)
    return fault == nil
  }

  // MARK: Writing the files

  /// Milliseconds until the names must be written, even if there is no request; an hour if no names
  /// need to be written.
  var pause: Int64 {
    if names == nil || areNamesWritten || lock == nil { return 3_600_000 }
    return max(0, max(nextNames, 0) - Clock.monotonicMilliseconds())
  }

  /// Writes and removes files until the folder contains the versions in `wishes`. Does nothing if
  /// another server has locked the folder. Returns the files that are up to date, with their marks.
  /// Also returns the certificates that must not be kept, because somebody requested their
  /// revocation.
  ///
  /// - Parameters:
  ///   - isLook: Whether to check that nobody else has removed files from the folder.
  ///   - isUrgent: Whether to write the names immediately.
  mutating func bring(
    to wishes: KeptWishes, isLook: Bool, isUrgent: Bool, progress: (String) -> Void
  ) -> (written: [String: Int], revoked: Set<String>) {
    guard open() else { return ([:], []) }
    if isLook || written.isEmpty {
      let (present, here) = (present, store.files(in: ""))
      written = written.filter { present.contains($0.key) }
      for file in present where written[file] == nil { written[file] = 0 }
      lists = lists.filter { here.contains($0.key) }
      if !here.contains("known") { (areNamesWritten, nextNames) = (false, .min) }
    }
    // Write the lists `held` and `owners` before the other files. If a user's file is missing, the
    // next start uses the kept file only if `held` contains the domain or certificate.
    let owners = wishes.owners.map { "\($0.key.entryName) \($0.value.entryName)" }
    for (list, lines) in ["held": wishes.held.union(lateHeld).sorted(), "owners": owners.sorted()]
    where lists[list] != lines {
      if write(list, lines) { lists[list] = lines }
    }
    if let names, !areNamesWritten, isUrgent || pause == 0 {
      nextNames = Clock.monotonicMilliseconds() + KeepingLimits.namesPause
      areNamesWritten = write("known", names.map(\.entryName))
    }
    let (files, revoked) = chosen(wishes.files)
    for file in written.keys where files[file] == nil && !unread.contains(file) {
      progress(store.path(file))
      if (try? store.remove(file, pruning: true)) != nil { written[file] = nil }
    }
    let due = files.filter { written[$0.key] != $0.value.mark }.sorted { $0.key < $1.key }
    var faults: [String: StoreFault] = [:]
    for start in stride(from: 0, to: due.count, by: KeepingLimits.batch) {
      let batch = due[start..<min(start + KeepingLimits.batch, due.count)]
      faults.merge(write(batch, progress)) { $1 }
    }
    let fault = faults.min { $0.key < $1.key }
    report(.version, store.path(fault?.key ?? ""), fault?.value)
    return (written.filter { files[$0.key]?.mark == $0.value }, revoked)
  }

  /// Returns the files to keep, within the limits, and the certificates whose revocation was
  /// requested. Prefers the files that are already in the folder.
  private mutating func chosen(
    _ files: [String: KeptFile]
  ) -> (files: [String: KeptFile], revoked: Set<String>) {
    var (chosen, revoked): ([String: KeptFile], Set<String>) = ([:], [])
    var bytes = 0
    let isSecret = files.keys.contains { $0.hasPrefix("certificates/") } && checkSecrecy()
    func rank(_ path: String) -> (Int, String) { (written[path] == nil ? 1 : 0, path) }
    for (path, file) in files.sorted(by: { rank($0.key) < rank($1.key) }) {
      switch file.content {
      case .bytes(let content):
        if chosen.count >= mostFiles || bytes + content.count > mostBytes { continue }
        bytes += content.count
        chosen[path] = file
      case .certificate(let certificate):
        if reader.isRevoked(certificate) {
          revoked.insert(path)
        } else if isSecret, chosen.count < mostFiles {
          chosen[path] = file
        }
      }
    }
    return (chosen, revoked)
  }

  /// Writes files, and stores which files were written. Returns the faults of the files that could
  /// not be written.
  private mutating func write(
    _ files: ArraySlice<(key: String, value: KeptFile)>, _ progress: (String) -> Void
  ) -> [String: StoreFault] {
    var batch = StoreBatch(store)
    var faults: [String: StoreFault] = [:]
    for (path, file) in files {
      progress(store.path(path))
      do throws(StoreFault) {
        switch file.content {
        case .bytes(let bytes): try batch.add(path, bytes, modified: file.modified)
        case .certificate(let certificate):
          var bytes = certificate.pem()
          defer { cleanse(&bytes) }
          try batch.add(path, bytes)
        }
      } catch {
        faults[path] = error
      }
    }
    faults.merge(batch.commit()) { $1 }
    for (path, file) in files where faults[path] == nil { written[path] = file.mark }
    return faults
  }

  /// Writes names to a file, one per line. Returns whether the file was written.
  private mutating func write(_ file: String, _ names: [String]) -> Bool {
    var bytes: [UInt8] = []
    for name in names where bytes.count + name.utf8.count < KeepingLimits.knownBytes {
      bytes += name.utf8
      bytes.append(0x0A)
    }
    var fault: StoreFault?
    do throws(StoreFault) { try store.write(file, bytes) } catch { fault = error }
    report(.names, store.path(file), fault)
    return fault == nil
  }

  // MARK: Reporting faults

  private enum Subject: String {
    case folder = "versions"
    case certificates
    case version = "a version"
    case names = "the names of the domains"

    var note: String {
      switch self {
      case .folder: "nothing is stored for the next start"
      case .certificates: "no certificate is stored for the next start"
      case .version: "a restart would lose this version"
      case .names:
        "the next start cannot distinguish an empty folder from a folder that is not mounted"
      }
    }
  }

  /// Reports a fault of a subject, unless the fault was already reported. If `fault` is nil, the
  /// last fault has ended, and the next fault of the subject will be reported.
  private mutating func report(_ subject: Subject, _ path: String, _ fault: StoreFault?) {
    guard let fault else {
      faults.remove(subject)
      return
    }
    guard faults.insert(subject).inserted else { return }
    var (message, note) = ("\(subject.rawValue) cannot be stored: \(fault.reason)", subject.note)
    let help: String
    switch fault {
    case .open(let mode):
      message =
        "other users can open this folder (mode \(String(mode, radix: 8))), but the folder would "
        + "contain private keys"
      help = "chmod 700 \(path)"
    case .locked:
      message = "another server uses this state folder"
      help = "give each server its own state folder, unless the other server is about to stop"
      note =
        "this server uses the versions in the folder, but stores none while the other server runs"
    case .full: help = "free space on the disk of this folder"
    case .denied:
      help = "let the server's user write to this folder, or choose another folder with --state"
    case .failed: help = "check the disk, or choose another folder with --state"
    }
    news.append(
      Diagnostic(.stateFolderUnusable, message, at: .init(path: path), help: help, note: note))
  }
}
