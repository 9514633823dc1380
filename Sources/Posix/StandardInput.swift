#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Waits for standard input and appends the available bytes to `bytes`, at most 64 KiB.
///
/// Returns false at the end of the input. Throws the error of `read`.
package func readStandardInput(appendingTo bytes: inout [UInt8]) throws(SystemError) -> Bool {
  let start = bytes.count
  bytes.append(contentsOf: repeatElement(0, count: 65_536))
  let (count, code) = unsafe bytes.withUnsafeMutableBytes { buffer in
    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
    return retrying { unsafe read(0, rest.baseAddress, rest.count) }
  }
  bytes.removeLast(bytes.count - start - max(count, 0))
  guard code == 0 else { throw SystemError("read", "standard input", code: code) }
  return count > 0
}
