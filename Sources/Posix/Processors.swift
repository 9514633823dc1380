#if canImport(Glibc)
  internal import CSystem
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The number of processors that this process may use: the affinity mask, and the cgroup's quota,
/// which limits a container (`cpu.max`, cgroups(7)). At least 1.
package func availableProcessors() -> Int {
  #if os(Linux)
    var mask = [UInt64](repeating: 0, count: 128)  // 8192 processors
    let size = UInt(mask.count * 8)
    let affinity = unsafe mask.withUnsafeMutableBytes {
      unsafe sched_getaffinity(0, size, $0.baseAddress)
    }
    var count = affinity >= 0 ? mask.reduce(0) { $0 + $1.nonzeroBitCount } : 0
    if count == 0 { count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
    return max(1, min(count, controlGroupProcessors() ?? count))
  #else
    return max(1, sysconf(_SC_NPROCESSORS_ONLN))
  #endif
}

#if os(Linux)
  /// The quota rounded up: 1.5 processors are best used by two threads.
  private func controlGroupProcessors() -> Int? {
    if let quota = words(of: "/sys/fs/cgroup/cpu.max"), quota.count == 2 {
      return processors(quota: quota[0], period: quota[1])
    }
    let version1 = "/sys/fs/cgroup/cpu/cpu.cfs_"
    if let quota = words(of: version1 + "quota_us")?.first,
      let period = words(of: version1 + "period_us")?.first
    {
      return processors(quota: quota, period: period)
    }
    return nil
  }

  private func processors(quota: String, period: String) -> Int? {
    // `max` or -1 mean no limit.
    guard let quota = Int(quota), let period = Int(period), quota > 0, period > 0 else {
      return nil
    }
    return (quota + period - 1) / period
  }

  private func words(of path: String) -> [String]? {
    // Files of cgroupfs report a size of 0, so they are read with a fixed limit.
    guard let content = try? readContent(path, limit: 4096) else { return nil }
    return String(decoding: content.bytes, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).map(String.init)
  }
#endif
