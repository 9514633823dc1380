internal import LibC

/// A file that says which process holds a lock. Such a file is needed on file systems whose locks
/// do not work across machines.
///
/// On such a file system, two processes can hold the same lock. Therefore, a process that holds the
/// lock changes the file every 30 seconds. If the file contains the mark of another process, and
/// this mark still changes, the other process is running.
package struct HolderMark {
  private let store: Store
  private let file: String
  private let machine = machineName()
  /// A random number that identifies this instance among all processes on all machines.
  private let own = UInt64.random(in: .min ... .max)
  /// The time of the last write of our mark, in milliseconds of the monotonic clock; nil if this
  /// process has not written a mark.
  private var written: Int64?
  /// The text of another process's mark, and the time at which this process first saw this text.
  private var other: (text: String, since: Int64)?
  /// The time between two changes of our mark, in milliseconds.
  private static let interval: Int64 = 30_000
  /// If the other process has not changed its mark for this many milliseconds, this process assumes
  /// that the other process has ended.
  private static let patience: Int64 = 75_000

  package init(_ file: String, in store: Store) { (self.store, self.file) = (store, file) }

  /// Writes our mark, or changes it if a change is due. If the mark belongs to another running
  /// process, returns a description of that process; otherwise nil.
  package mutating func hold(
    now: Int64 = Clock.monotonicMilliseconds()
  ) throws(StoreFault) -> String? {
    let text = found
    let isOurs = text.map(self.isOurs) ?? false
    if isOurs, let written, now - written < Self.interval { return nil }
    if !isOurs, let text, let holder = holder(text, now) { return holder }
    let mark = "\(machine) \(getpid()) \(own) \(Clock.wallSeconds())\n"
    do throws(StoreFault) {
      // If two processes start at the same time, only one of them can create the file.
      try store.write(file, Array(mark.utf8), replacing: text != nil)
    } catch {
      guard case .failed(let cause) = error, text == nil, cause.isExisting else { throw error }
      return "another process"
    }
    (written, other) = (now, nil)
    return nil
  }

  /// Removes our mark, so that another process can start without waiting. Leaves the mark of
  /// another process in place.
  package func release() {
    if let found, isOurs(found) { try? store.remove(file) }
  }

  /// The text of the mark, no matter which process wrote the mark; nil if the file cannot be read.
  private var found: String? {
    (try? store.read(file, limit: 1_024)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func isOurs(_ text: String) -> Bool { words(text).dropFirst(2).first == "\(own)" }

  /// Returns a description of the process that wrote a mark; nil if that process has ended, or if
  /// the text is not a mark.
  private mutating func holder(_ text: String, _ now: Int64) -> String? {
    let words = words(text)
    guard words.count == 4, let process = Int32(words[1]) else { return nil }
    // If the process that wrote the mark ran on this machine, check whether that process is still
    // alive. If it had the same ID as this process, it has ended: in a container, a new process can
    // get the ID of an earlier process.
    let isEarlier = process == getpid() && written == nil
    if words[0] == machine, isEarlier || !isAlive(process) { return nil }
    if other?.text != text { other = (text, now) }
    guard let other, now - other.since < Self.patience else { return nil }
    return "\(words[0]) (process \(process))"
  }

  private func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
}

private func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

/// Returns the name of this machine or container as one word.
private func machineName() -> String {
  var name = [CChar](repeating: 0, count: 256)
  let code = unsafe gethostname(&name, name.count - 1)
  let text = String(
    decoding: name.map(UInt8.init(bitPattern:)).prefix { $0 > 0x20 }, as: UTF8.self)
  return code == 0 && !text.isEmpty ? text : "unknown"
}
