import Foundation

/// What a process holds, by the kernel's account.
struct Resources: Equatable {
  var descriptors: Int
  var threads: Int
  /// Bytes that are not file's.
  var memory: Int

  /// Nil where the kernel does not tell.
  init?(of process: ChildProcess) {
    let folder = "/proc/\(process.identifier)"
    guard
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd"),
      let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8)
    else { return nil }
    func number(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
    self.descriptors = descriptors.count
    threads = number("Threads")
    memory = number("RssAnon") * 1024
  }

  /// Waits until the process holds no more than it did, but for some memory. Not looked at under
  /// AddressSanitizer, which keeps 16 MB of what was freed from being used again (`Tests/check`
  /// says how much); what leaks it finds itself.
  static func areBack(
    _ process: ChildProcess, to before: Resources?, memory: Int = 8 << 20
  ) -> Bool {
    guard let before, ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil else {
      return true
    }
    return eventually(within: patience) {
      guard let now = Resources(of: process) else { return true }
      return now.descriptors <= before.descriptors && now.threads <= before.threads
        && now.memory <= before.memory + memory
    }
  }
}
