#if os(Linux) && !PORTABLE
  internal import LibC

  /// Returns the entries of an open directory with getdents64(2). opendir(3) would make more calls
  /// and allocate a large buffer, although a host's folder has few names.
  func entries(
    of descriptor: consuming FileDescriptor, _ path: String
  ) throws(SystemError) -> [DirectoryEntry] {
    var entries: [DirectoryEntry] = []
    var buffer = [UInt8](repeating: 0, count: 8192)
    while true {
      let number = descriptor.rawValue
      let (count, code) = unsafe buffer.withUnsafeMutableBytes { bytes in
        asking { unsafe getdents64(number, bytes.baseAddress, UInt(bytes.count)) }
      }
      guard code == 0 else { throw SystemError("getdents64", path, code: code) }
      if count == 0 { return entries }
      // struct linux_dirent64: inode and offset (64 bits each), length (16), type (8), name.
      // Linux is little-endian on all machines that Swift supports.
      var start = 0
      while start < count {
        let length = Int(buffer[start + 16]) | Int(buffer[start + 17]) << 8
        let name = buffer[(start + 19)..<(start + length)].prefix { $0 != 0 }
        if !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8) {
          entries.append(
            DirectoryEntry(
              name: String(decoding: name, as: UTF8.self), type: Int(buffer[start + 18])))
        }
        start += length
      }
    }
  }
#endif
