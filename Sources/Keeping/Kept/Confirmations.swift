internal import Diagnostics
internal import Posix

/// Reads the file `confirm` in the state folder. A user who can write to the state folder confirms
/// holds by writing the IDs of the holds into this file. The server removes the file after it has
/// applied the confirmations.
///
/// Only the maintenance thread may use this value. If there is no state folder, nothing can be
/// confirmed.
package struct Confirmations {
  package static let name = "confirm"

  /// The IDs in the file, and the status of the file. The status distinguishes this file from a
  /// later file.
  struct Request: Sendable {
    let ids: Set<String>
    fileprivate let status: FileStatus
  }

  /// The state folder; nil if there is none.
  let folder: String?
  /// The most recently confirmed IDs.
  private(set) var confirmed: [String] = []
  /// Runs the reads of the state folder on other threads, because the file system may not answer.
  private let work = HangTolerantPool()
  /// When to read the file, in milliseconds of the monotonic clock. Nil to wait for an event or for
  /// the next regular scan. The initial value is 0, because a user may have written the file before
  /// the start.
  private var due: Int64? = 0
  /// Whether the last event said that the file is completely written.
  private var isComplete = false
  /// Whether the fault of the file was reported.
  private var isFaultReported = false
  /// The status of the last file whose IDs were used. If the server cannot remove the file, it
  /// compares this status, so that it does not use the IDs again.
  private var taken: FileStatus?

  /// The size limit of the file in bytes, and the number of confirmed IDs to remember.
  private static let largestFile = 1 << 20
  private static let remembered = 1_000
  /// Milliseconds without a change after which the file is assumed to be completely written.
  private static let settlingTime: Int64 = 1_000

  init(_ folder: String?) { self.folder = folder }

  private var path: String { "\(folder ?? "")/\(Self.name)" }

  /// Watches the state folder. Returns nil if there is no state folder, or if the file system does
  /// not answer.
  func watch(with watcher: DirectoryWatcher) -> DirectoryWatcher.Result? {
    guard let folder else { return nil }
    return work.result(folder) { watcher.tryToWatch(folder) }
  }

  /// Stores that the file may have been created or changed.
  mutating func note(isComplete: Bool = false) {
    due = 0
    self.isComplete = isComplete
  }

  /// Returns the milliseconds until the next read of the file; nil if no read is planned.
  func delay(now: Int64) -> Int64? { folder == nil ? nil : due.map { max(0, $0 - now) } }

  /// Reads the file if a read is due, and returns the IDs in the file. Returns nil if no read is
  /// due, if there is no new readable file, or if somebody may still be writing the file.
  ///
  /// - Parameter report: Receives the fault of an unreadable file if it was not reported before.
  mutating func take(_ report: inout Report, now: Int64) -> Request? {
    guard delay(now: now) == 0 else { return nil }
    defer { isComplete = false }
    due = nil
    switch look() {
    case nil: isFaultReported = false
    case .unsettled(let time)?: due = now + time
    case .unreadable(let fault)?:
      if !isFaultReported { report.add([fault]) }
      isFaultReported = true
    case .request(let request)?:
      isFaultReported = false
      if request.status != taken { return request }
    }
    return nil
  }

  private enum ReadOutcome: Sendable {
    /// Somebody may still be writing the file. The value is the milliseconds until the next attempt
    /// to read the file.
    case unsettled(Int64)
    case unreadable(Diagnostic)
    case request(Request)
  }

  /// Reads the file. Returns nil if the file is missing or empty, or if the file system does not
  /// answer.
  private func look() -> ReadOutcome? {
    work.result(path) { [path, isComplete] () -> ReadOutcome? in
      do throws(SystemError) {
        let found = try linkStatus(path)
        guard found.kind == .regular else {
          return .unreadable(Self.fault("not a regular file", path))
        }
        if found.size == 0 { return nil }
        let age = found.age(now: Clock.wallNanoseconds())
        if !isComplete && age < Self.settlingTime { return .unsettled(Self.settlingTime - age) }
        let content = try readContent(path, limit: Self.largestFile)
        if content.hasChanged { return .unsettled(Self.settlingTime) }
        let words = content.bytes.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
        return .request(Request(ids: Set(words), status: content.status))
      } catch {
        return error.isNotFound ? nil : .unreadable(Self.fault(error.reason, path))
      }
    } ?? nil
  }

  private static func fault(_ reason: String, _ path: String) -> Diagnostic {
    Diagnostic(
      .confirmationUnreadable, "the file cannot be read: \(reason)", at: .init(path: path),
      help:
        "remove the file, or run aasa confirm as root or as the server's user to replace the file")
  }

  /// Stores the IDs that a request has confirmed. If a requested ID belongs to no hold, returns a
  /// diagnostic about the ID.
  ///
  /// - Parameter held: The requested IDs of holds that could not end yet.
  mutating func note(
    _ ids: Set<String>, of request: Request, held: Set<String>
  ) -> [Diagnostic] {
    confirmed = (confirmed.filter { !ids.contains($0) } + ids.sorted()).suffix(Self.remembered)
    return request.ids.subtracting(confirmed).subtracting(held).sorted().map { id in
      Diagnostic(.notHeld, "no hold has the ID \(id)", at: .init(path: path))
    }
  }

  /// Removes the file of a request, unless another file has replaced it.
  mutating func remove(_ request: Request) {
    taken = request.status
    _ = work.result(path) { [path] in
      guard (try? linkStatus(path)) == request.status else { return }
      try? removeFile(path)
    }
  }
}
