#if !os(Linux) || PORTABLE
  internal import LibC

  /// Returns the entries of an open directory with readdir(3).
  func entries(
    of descriptor: consuming FileDescriptor, _ path: String
  ) throws(SystemError) -> [DirectoryEntry] {
    guard let directory = unsafe fdopendir(descriptor.rawValue) else {
      throw SystemError("fdopendir", path, code: errno)
    }
    // closedir(3) closes the descriptor.
    _ = descriptor.release()
    defer { unsafe closedir(directory) }
    var entries: [DirectoryEntry] = []
    errno = 0
    while let entry = unsafe FileCalls.during({ unsafe readdir(directory) }) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      let type = unsafe Int(entry.pointee.d_type)
      if name != "." && name != ".." {
        entries.append(DirectoryEntry(name: name, type: type))
      }
      errno = 0
    }
    guard errno == 0 else { throw SystemError("readdir", path, code: errno) }
    return entries
  }
#endif
