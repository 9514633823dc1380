internal import LibC

/// An open regular file that can be read at any offset.
package final class RandomAccessFile: Sendable {
  /// The size in bytes.
  package let count: Int64
  private let path: String
  private let descriptor: FileDescriptor

  /// Throws errors of `open`; EISDIR or EINVAL if the file is not a regular file.
  package init(_ path: String) throws(SystemError) {
    let descriptor = try FileDescriptor.opened(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    let status = try descriptor.status(path)
    guard status.kind == .regular else {
      throw SystemError("read", path, code: status.kind == .directory ? EISDIR : EINVAL)
    }
    self.path = path
    self.descriptor = descriptor
    self.count = status.size
  }

  /// Reads up to `count` bytes from `offset` on. Returns fewer bytes only at the end of the file.
  package func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    let number = descriptor.rawValue
    while filled < count {
      let (got, code) = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        return retrying {
          unsafe pread(number, rest.baseAddress, rest.count, off_t(offset + Int64(filled)))
        }
      }
      guard code == 0 else { throw SystemError("pread", path, code: code) }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }
}
