internal import LibC

/// The system's information about this process. A value is nil if it is unknown.
package struct ProcessFacts: Sendable {
  /// The processor time of all threads, in user and system mode, in seconds.
  package let processorSeconds: Double
  package let openDescriptors: Int?
  /// The limit on open descriptors that applies now.
  package let descriptorLimit: Int?
  /// The resident memory in bytes.
  package let residentMemory: Int?
  /// The virtual memory in bytes.
  package let virtualMemory: Int?
  package let threads: Int?

  package static func current() -> ProcessFacts {
    let pages = statm()
    return ProcessFacts(
      processorSeconds: processorTime(), openDescriptors: countDescriptors(),
      descriptorLimit: descriptorLimitInForce(), residentMemory: pages?.resident,
      virtualMemory: pages?.size, threads: countEntries(of: "/proc/self/task"))
  }
}

private func processorTime() -> Double {
  var usage = rusage()
  #if os(Linux)
    _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  #else
    _ = unsafe LibC.getrusage(RUSAGE_SELF, &usage)
  #endif
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

private func seconds(_ time: timeval) -> Double {
  Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
}

private func countDescriptors() -> Int? {
  // Subtract one, because listing the folder opens a descriptor too.
  countEntries(of: "/proc/self/fd").map { max(0, $0 - 1) }
}

private func countEntries(of path: String) -> Int? {
  #if os(Linux)
    try? listDirectory(path).count
  #else
    nil
  #endif
}

/// Returns the total and the resident size of this process's memory in bytes; nil if the sizes are
/// unknown. The file `/proc/self/statm` contains both sizes in pages (proc(5)).
private func statm() -> (size: Int, resident: Int)? {
  #if os(Linux)
    guard let bytes = try? readContent("/proc/self/statm", limit: 256).bytes else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ").prefix(2)
      .compactMap { Int($0) }
    guard fields.count == 2 else { return nil }
    let page = sysconf(Int32(_SC_PAGESIZE))
    return (fields[0] * page, fields[1] * page)
  #else
    return nil
  #endif
}
