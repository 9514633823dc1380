import Foundation

/// The resources of a process, according to the kernel.
struct Resources: Equatable {
  /// Nil if only root may count them.
  var descriptors: Int?
  var threads: Int
  /// Bytes that are not file's.
  var memory: Int

  /// Nil if the kernel does not say.
  init?(of process: ChildProcess) {
    let folder = "/proc/\(process.identifier)"
    guard let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8) else {
      return nil
    }
    func number(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
    descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd"))?.count
    threads = number("Threads")
    memory = number("RssAnon") * 1024
  }

  /// Waits until the process holds no more than before, except for some memory. Not checked under
  /// AddressSanitizer, which quarantines 16 MB of freed memory (`Tests/check` sets how much) and
  /// finds leaks itself.
  static func areBack(
    _ process: ChildProcess, to before: Resources?, memory: Int = 8 << 20
  ) -> Bool {
    guard let before, ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil else {
      return true
    }
    return eventually(within: patience) {
      guard let now = Resources(of: process) else { return true }
      return now.descriptors ?? 0 <= before.descriptors ?? 0 && now.threads <= before.threads
        && now.memory <= before.memory + memory
    }
  }
}
