internal import LibC

/// A file that says which process holds a lock, for file systems whose locks do not reach other
/// machines.
///
/// The holder changes the file every 30 seconds. If a process gets the lock but the mark of a
/// different process still changes, both run.
package struct HolderMark {
  private let path: String
  private let machine = machineName()
  /// Tells this value from every other one, here and on other machines.
  private let own = UInt64.random(in: .min ... .max)
  /// When our mark was written, in milliseconds of the monotonic clock; nil if it never was.
  private var written: Int64?
  /// The mark of another process, and since when it has not changed.
  private var other: (text: String, since: Int64)?
  /// Milliseconds between two changes of the mark.
  private static let interval: Int64 = 30_000
  /// Milliseconds without a change after which the process has ended.
  private static let patience: Int64 = 75_000

  package init(_ path: String) { self.path = path }

  /// Makes the mark ours, or changes it if that is due. Returns the process that has it instead, as
  /// words; nil if it is ours.
  package mutating func hold(
    now: Int64 = Clock.monotonicMilliseconds()
  ) throws(SystemError) -> String? {
    let text = (try? readFile(path, limit: 1_024)).map { String(decoding: $0, as: UTF8.self) }
    let isOurs = text.map(self.isOurs) ?? false
    if isOurs, let written, now - written < Self.interval { return nil }
    if !isOurs, let text, let holder = holder(text, now) { return holder }
    let mark = "\(machine) \(getpid()) \(own) \(Clock.wallSeconds())\n"
    do throws(SystemError) {
      // If two processes start at the same time, only one makes the file.
      try writeFileAtomically(path, Array(mark.utf8), mode: 0o600, replacing: text != nil)
    } catch {
      guard text == nil, error.code == EEXIST else { throw error }
      return "another process"
    }
    (written, other) = (now, nil)
    return nil
  }

  /// Removes the mark if it is ours, so that another process need not wait.
  package func release() {
    guard let bytes = try? readFile(path, limit: 1_024),
      isOurs(String(decoding: bytes, as: UTF8.self))
    else { return }
    try? removeFile(path)
  }

  private func isOurs(_ text: String) -> Bool { words(text).dropFirst(2).first == "\(own)" }

  /// Returns the process of another mark; nil if it has ended.
  private mutating func holder(_ text: String, _ now: Int64) -> String? {
    let words = words(text)
    guard words.count == 4, let process = Int32(words[1]) else { return nil }
    // On this machine a process can be looked up. An earlier one may have had our own number, as in
    // a container.
    let isEarlier = process == getpid() && written == nil
    if words[0] == machine, isEarlier || !isAlive(process) { return nil }
    if other?.text != text { other = (text, now) }
    guard let other, now - other.since < Self.patience else { return nil }
    return "\(words[0]) (process \(process))"
  }

  private func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
}

private func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

/// The name of this machine or container, as one word.
private func machineName() -> String {
  var name = [CChar](repeating: 0, count: 256)
  let code = unsafe gethostname(&name, name.count - 1)
  let text = String(
    decoding: name.map(UInt8.init(bitPattern:)).prefix { $0 > 0x20 }, as: UTF8.self)
  return code == 0 && !text.isEmpty ? text : "unknown"
}
