#if os(Linux)
  internal import LibC
#endif

/// The memory that a control group may use, and the file that says so.
package struct MemoryLimit: Sendable, Equatable {
  package let bytes: Int
  package let path: String

  package init(bytes: Int, path: String) {
    self.bytes = bytes
    self.path = path
  }

  /// The limit of this process, which has the least of the groups that it is in; nil if there is
  /// none.
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
  /// Returns the memory that `free` has kept to the kernel, such as that of thousands of closed
  /// connections. Takes a few milliseconds at worst.
  package static func returnFree() {
    #if os(Linux)
      _ = malloc_trim(0)
    #endif
  }
}
