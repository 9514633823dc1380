#if os(Linux)
  internal import LibC
#endif

/// A control group's memory limit, and the file that sets it.
package struct MemoryLimit: Sendable, Equatable {
  package let bytes: Int
  package let path: String

  package init(bytes: Int, path: String) {
    self.bytes = bytes
    self.path = path
  }

  /// The lowest memory limit among this process's control groups; nil if there is no limit.
  package static var own: MemoryLimit? {
    #if os(Linux)
      ControlGroups.own.memory
    #else
      nil
    #endif
  }
}

/// Returns unused memory to the system.
package enum Memory {
  /// Returns to the kernel the memory that the program has freed but the C library has not
  /// returned, such as the memory of thousands of closed connections. Takes at most a few
  /// milliseconds.
  package static func returnFree() {
    #if os(Linux)
      _ = malloc_trim(0)
    #endif
  }
}
