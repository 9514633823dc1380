#if os(Linux)
  internal import LibC
#endif

/// An in-memory file whose bytes the kernel sends without copying (memfd_create(2), sendfile(2)).
/// Not every system has such files.
package final class MemoryFile: Sendable {
  fileprivate let descriptor: FileDescriptor
  /// The size in bytes.
  package let count: Int

  #if os(Linux)
    /// MFD_CLOEXEC of linux/memfd.h. The C library defines this constant only under _GNU_SOURCE.
    private static let closedOnExecution: UInt32 = 1
  #endif

  /// Returns nil if the kernel does not create the file. The caller must then send the bytes from
  /// ordinary memory.
  package init?(_ bytes: [UInt8]) {
    #if os(Linux)
      let number = unsafe memfd_create("aasa", Self.closedOnExecution)
      guard number >= 0 else { return nil }
      descriptor = FileDescriptor(owning: number)
      count = bytes.count
      var written = 0
      while written < bytes.count {
        let (size, code) = unsafe bytes.withUnsafeBytes { bytes in
          let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
          return retrying { unsafe write(number, rest.baseAddress, rest.count) }
        }
        guard code == 0, size > 0 else { return nil }
        written += size
      }
    #else
      return nil
    #endif
  }
}

extension FileDescriptor {
  /// Sends the bytes of the file from `offset` on, with one call. The kernel may accept only some
  /// of the bytes.
  package func send(_ file: MemoryFile, from offset: Int) -> TransferOutcome {
    #if os(Linux)
      let number = rawValue
      var position = off_t(offset)
      let (size, code) = retrying {
        unsafe sendfile(number, file.descriptor.rawValue, &position, file.count - offset)
      }
      if code == 0 { return size == 0 ? .failed : .moved(size) }
      return code == EAGAIN || code == EWOULDBLOCK ? .wantsWrite : .failed
    #else
      return .failed
    #endif
  }
}
