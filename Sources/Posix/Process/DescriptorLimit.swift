internal import LibC

#if os(Linux)
  private let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  private let resource = RLIMIT_NOFILE
#endif

/// Raises the soft limit on open descriptors to the hard limit. Returns the limit that now applies.
///
/// A server needs a descriptor for each connection. The usual soft limit of 1024 exists only
/// because of programs that use select(2).
package func raiseDescriptorLimit() -> Int {
  var limit = rlimit()
  guard unsafe getrlimit(resource, &limit) == 0 else { return 1024 }
  if limit.rlim_cur < limit.rlim_max {
    let before = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    if unsafe setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
  }
  return Int(clamping: limit.rlim_cur)
}

/// Returns the soft limit on open descriptors; nil if there is no limit.
func descriptorLimitInForce() -> Int? {
  var limit = rlimit()
  guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < .max >> 1 else { return nil }
  return Int(clamping: limit.rlim_cur)
}
