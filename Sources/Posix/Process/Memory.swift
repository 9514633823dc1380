internal import LibC

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
  /// Returns freed memory to the kernel if the C library still keeps this memory, such as the
  /// memory of thousands of closed connections. Takes at most a few milliseconds.
  package static func returnFree() {
    #if os(Linux)
      _ = malloc_trim(0)
    #endif
  }
}

/// Overwrites `bytes`, such as the content of a key file, in a way that the compiler does not
/// optimize away.
///
/// If another variable shares the array's memory, Swift overwrites only a copy of the bytes. So
/// release other references first.
package func cleanse(_ bytes: inout [UInt8]) {
  unsafe bytes.withUnsafeMutableBytes { memory in
    guard let start = memory.baseAddress else { return }
    #if canImport(Darwin)
      _ = unsafe memset_s(start, memory.count, 0, memory.count)
    #else
      unsafe explicit_bzero(start, memory.count)
    #endif
  }
}
