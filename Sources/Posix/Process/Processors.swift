internal import LibC

/// Returns the number of processors that this process may use, at least 1. The affinity mask and
/// the container's cgroup quota (`cpu.max`, cgroups(7)) limit this number.
package func availableProcessors() -> Int {
  #if os(Linux)
    var mask = [UInt64](repeating: 0, count: 128)  // 8192 processors
    let size = UInt(mask.count * 8)
    let affinity = unsafe mask.withUnsafeMutableBytes {
      unsafe sched_getaffinity(0, size, $0.baseAddress)
    }
    var count = affinity >= 0 ? mask.reduce(0) { $0 + $1.nonzeroBitCount } : 0
    if count == 0 { count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
    return max(1, min(count, ControlGroups.own.processors ?? count))
  #else
    return max(1, sysconf(_SC_NPROCESSORS_ONLN))
  #endif
}
