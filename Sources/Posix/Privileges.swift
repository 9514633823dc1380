#if canImport(Glibc)
  internal import CSystem
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Keeps private keys out of core dumps, and away from other processes of the same user
/// (PR_SET_DUMPABLE, prctl(2)): a crash leaves its message, not the memory.
package func forbidCoreDumps() {
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  #if os(Linux)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    _ = aasa_forbid_dumps()
  #else
    _ = unsafe setrlimit(RLIMIT_CORE, &none)
  #endif
}

/// Whether the process runs as root.
package var isSuperuser: Bool { geteuid() == 0 }
