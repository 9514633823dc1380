#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The bytes of a file, links followed.
///
/// Throws what the system refused; EFBIG when the file has more than `limit` bytes.
package func readFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
  let opened = retrying { unsafe open(path, O_RDONLY | O_CLOEXEC) }
  guard opened.result >= 0 else { throw SystemError("open", path, code: opened.code) }
  let file = FileDescriptor(owning: opened.result)
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let moved = retrying {
      unsafe chunk.withUnsafeMutableBytes { unsafe read(file.rawValue, $0.baseAddress, $0.count) }
    }
    guard moved.result >= 0 else { throw SystemError("read", path, code: moved.code) }
    if moved.result == 0 { return bytes }
    bytes += chunk[..<moved.result]
    if bytes.count > limit { throw SystemError("read", path, code: EFBIG) }
  }
}
