internal import LibC

/// Reads a file from the command line, at most `limit` + 1 bytes. A pipe or device, such as a
/// shell's `<(…)` or `/dev/stdin`, is read to its end.
///
/// Reads a pipe until no writer has the pipe open. Waits one second for the first writer. Throws
/// the errors of `readContent`; throws EPIPE if no writer opens the pipe.
package func readNamedInput(_ path: String, limit: Int) throws(SystemError) -> FileContent {
  let descriptor = try FileDescriptor.opened(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  let number = descriptor.rawValue
  var about = stat()
  guard unsafe fstat(number, &about) == 0 else { throw SystemError("fstat", path, code: errno) }
  let found = FileStatus(about)
  guard found.kind == .other else {
    return try read(descriptor, path, limit: limit)
  }
  let isPipe = about.st_mode & S_IFMT == S_IFIFO
  if isPipe {
    _ = descriptor.waitUntilReady(forWriting: false, until: .init(afterMilliseconds: 1_000))
  }
  var bytes: [UInt8] = []
  var hasWriter = !isPipe
  while bytes.count <= limit {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: min(65_536, limit + 1 - start)))
    let (count, code) = unsafe bytes.withUnsafeMutableBytes { buffer in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      return retrying { unsafe read(number, rest.baseAddress, rest.count) }
    }
    bytes.removeLast(bytes.count - start - max(count, 0))
    if code == EAGAIN {
      hasWriter = true
      _ = descriptor.waitUntilReady(forWriting: false, until: .init(afterMilliseconds: 60_000))
      continue
    }
    guard code == 0 else { throw SystemError("read", path, code: code) }
    if count == 0 { break }
    hasWriter = true
  }
  guard hasWriter else { throw SystemError("read", path, code: EPIPE) }
  return FileContent(
    bytes: bytes, status: found, isTruncated: bytes.count > limit, hasChanged: false)
}
