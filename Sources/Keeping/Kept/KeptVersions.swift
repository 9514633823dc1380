internal import Diagnostics
internal import Posix
internal import Settings

/// The folder `kept` of the state folder: versions that the next start takes up where the files are
/// still faulty or missing.
///
/// Belongs to the maintenance thread. Without a state folder it keeps nothing.
struct KeptVersions: ~Copyable {
  /// An entry to be kept.
  struct Wish {
    let name: DomainName
    /// A number that differs for other versions.
    let mark: Int
  }

  private let root: String?
  /// Held as long as this process writes into the folder.
  private let lock: FileLock?
  /// The files that are there, each with its mark and size.
  private var written: [DomainName: (mark: Int, bytes: Int)] = [:]
  /// The entries to be kept, with their marks.
  private var wanted: [DomainName: Int] = [:]
  /// Entries whose files are to be written or removed.
  private var pending: [DomainName] = []
  /// What is wrong with the folder, as reported.
  private(set) var fault: Diagnostic?

  private var folder: String { (root ?? "") + "/kept/hosts" }

  /// Opens the folder, and makes it if necessary.
  ///
  /// - Parameters:
  ///   - state: The state folder; nil to keep nothing.
  ///   - found: Set to what was kept before.
  ///   - diagnostics: Faults of the folder, and of files in it.
  init(
    _ state: String?, _ found: inout [DomainName: KeptEntry], _ diagnostics: inout [Diagnostic]
  ) {
    guard let state else {
      root = nil
      lock = nil
      return
    }
    var fault: Diagnostic?
    do throws(SystemError) {
      try makeFolder(state + "/kept/hosts", mode: 0o700)
      lock = try FileLock(state + "/kept/lock")
      if lock == nil {
        fault = Diagnostic(
          .stateFolderUnusable, "another server keeps its versions in this folder",
          at: .init(path: state), help: "give each server a state folder of its own",
          note: "nothing is kept for the next start")
      }
    } catch {
      lock = nil
      fault = Diagnostic(
        .stateFolderUnusable, "versions cannot be kept: \(error.reason)", at: .init(path: state),
        help: "let the server's user write there, or name another folder with --state",
        note: "nothing is kept for the next start")
    }
    diagnostics += [fault].compactMap(\.self)
    root = fault == nil ? state : nil
    self.fault = fault
    if root != nil { read(&found, &diagnostics) }
  }

  private mutating func read(
    _ found: inout [DomainName: KeptEntry], _ diagnostics: inout [Diagnostic]
  ) {
    removeTemporaryFiles(in: folder)
    var total = 0
    for file in ((try? listDirectory(folder)) ?? []).sorted() {
      guard let name = DomainName(entryName: file), found.count < KeepingLimits.keptEntries else {
        continue
      }
      let limit = KeepingLimits.keptBytes - total
      let bytes = (try? readFile("\(folder)/\(file)", limit: limit)) ?? []
      // Removed as soon as it is known that nothing is to be kept of it.
      written[name] = (0, bytes.count)
      guard let entry = KeptEntry(bytes) else {
        diagnostics.append(
          Diagnostic(
            .keptVersionDamaged, "this file is damaged, and not used",
            at: .init(path: "\(folder)/\(file)"), help: "nothing is to be done: it is replaced"))
        continue
      }
      total += bytes.count
      found[name] = entry
    }
    pending = Array(written.keys)
  }

  // MARK: Keeping

  /// Notes which entries are to be kept from now on.
  mutating func keep(_ wishes: [Wish]) {
    if root == nil || wishes.isEmpty && wanted.isEmpty { return }
    var next: [DomainName: Int] = [:]
    for wish in wishes.prefix(KeepingLimits.keptEntries) {
      next[wish.name] = wish.mark
      if wanted[wish.name] != wish.mark { pending.append(wish.name) }
    }
    for name in wanted.keys where next[name] == nil { pending.append(name) }
    wanted = next
  }

  /// The number of entries that would be lost by a restart.
  func lost(of wishes: [Wish]) -> Int {
    wishes.count { written[$0.name]?.mark != $0.mark }
  }

  /// Whether files are to be written or removed.
  var hasWork: Bool { !pending.isEmpty }

  /// The next entry to write or remove.
  mutating func takeNext() -> DomainName? { pending.popLast() }

  /// Writes or removes the file of an entry. Returns a diagnostic if that is impossible, once.
  mutating func write(_ name: DomainName, _ entry: KeptEntry?) -> Diagnostic? {
    let path = "\(folder)/\(name.entryName)"
    do throws(SystemError) {
      guard let mark = wanted[name], let bytes = entry?.encoded, hasRoom(for: name, bytes) else {
        if written[name] != nil { try removeFile(path) }
        written[name] = nil
        return nil
      }
      if written[name]?.mark == mark { return nil }
      try writeFileAtomically(path, bytes, mode: 0o600)
      written[name] = (mark, bytes.count)
      fault = nil
      return nil
    } catch {
      let isKnown = fault != nil
      fault = Diagnostic(
        .stateFolderUnusable, "a version cannot be kept: \(error.reason)", at: .init(path: path),
        help: "check the disk, and whether the server's user may write there",
        note: "a restart would lose it")
      return isKnown ? nil : fault
    }
  }

  private func hasRoom(for name: DomainName, _ bytes: [UInt8]) -> Bool {
    var total = bytes.count
    for (other, file) in written where other != name { total += file.bytes }
    return total <= KeepingLimits.keptBytes
  }

  // MARK: Confirming by a file

  /// The IDs in the file `confirm` of the state folder, which is removed; nil if there is none.
  mutating func takeConfirmations() -> Set<String>? {
    guard let root else { return nil }
    let path = root + "/confirm"
    guard let bytes = try? readFile(path, limit: 1 << 20) else { return nil }
    try? removeFile(path)
    let words = bytes.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
    return Set(words)
  }
}
