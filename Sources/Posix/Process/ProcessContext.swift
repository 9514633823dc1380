internal import LibC

/// Returns the process's environment variables. If a name is repeated, the first variable with this
/// name is used, as in getenv(3). Call this before starting threads, because no other thread may
/// change the environment during the call.
package func environmentVariables() -> [String: String] {
  var variables: [String: String] = [:]
  guard var next = unsafe aasa_environment() else { return variables }
  while let entry = unsafe next.pointee {
    let text = unsafe String(cString: entry)
    unsafe next += 1
    guard let sign = text.firstIndex(of: "=") else { continue }
    let name = String(text[..<sign])
    if variables[name] == nil { variables[name] = String(text[text.index(after: sign)...]) }
  }
  return variables
}

/// Protects private keys from core dumps and from other processes of the same user
/// (PR_SET_DUMPABLE, prctl(2)). After a crash, there is still a message, but no memory image.
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
