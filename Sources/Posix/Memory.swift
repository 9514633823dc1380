#if os(Linux)
  internal import CSystem
#endif

/// Returns unused memory to the system.
package enum Memory {
  /// Returns the memory that `free` has kept to the kernel, such as that of thousands of closed
  /// connections. Takes a few milliseconds at worst.
  package static func returnFree() {
    #if os(Linux)
      _ = malloc_trim(0)
    #endif
  }
}
