internal import CZlib

/// Why gzip data cannot be read.
package enum GzipFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The data is not gzip, or is corrupt (RFC 1952). `decoded` is the number of bytes decoded
  /// before the fault.
  case malformed(decoded: Int)
  /// The data ends before the end of the gzip content. `decoded` is the number of bytes that were
  /// decoded.
  case truncated(decoded: Int)
  /// The decompressed data would have more than `limit` bytes.
  case tooLarge(limit: Int)
  /// zlib could not allocate memory.
  case noMemory

  /// The fault in one lower-case sentence without a full stop.
  package var description: String {
    switch self {
    case .malformed(0): "the content is labeled as gzip but is not gzip"
    case .malformed(let decoded): "the gzip content is broken after \(decoded) unpacked bytes"
    case .truncated(let decoded): "the gzip content is cut off after \(decoded) unpacked bytes"
    case .tooLarge(let limit): "the gzip content unpacks to more than \(limit) bytes"
    case .noMemory: "there is no memory to unpack the gzip content"
    }
  }
}

/// Decompresses all members of gzip data (RFC 1952).
///
/// Allocates memory only for the bytes that it decompresses, and stops at `limit`. Therefore, a
/// small input that would decompress to gigabytes takes only about `limit` bytes of memory.
package func gunzip(_ text: [UInt8], limit: Int) throws(GzipFault) -> [UInt8] {
  let decompressor = GzipDecompressor(text, limit: limit)
  return try decompressor.run()
}

@safe
private final class GzipDecompressor {
  private var stream: z_stream
  private let isUsable: Bool
  private let text: [UInt8]
  private let limit: Int
  private var consumed = 0
  private var output: [UInt8] = []

  /// The maximum number of bytes to decompress in one step.
  private static let step = 65_536

  init(_ text: [UInt8], limit: Int) {
    self.text = text
    self.limit = limit
    unsafe stream = z_stream()
    isUsable = unsafe aasa_inflate_init_gzip(&stream) == Z_OK
  }

  deinit {
    if isUsable { _ = unsafe inflateEnd(&stream) }
  }

  func run() throws(GzipFault) -> [UInt8] {
    guard isUsable else { throw .noMemory }
    var chunk = [UInt8](repeating: 0, count: Self.step)
    while true {
      let (code, produced) = inflateStep(&chunk)
      output += chunk[..<produced]
      if output.count > limit { throw .tooLarge(limit: limit) }
      switch code {
      case Z_STREAM_END:
        // Another gzip member may follow (RFC 1952 section 2.2). Other bytes after a member are
        // padding, and are ignored.
        guard text[consumed...].starts(with: [0x1F, 0x8B]), unsafe inflateReset(&stream) == Z_OK
        else { return output }
      case Z_OK where produced == 0 && consumed == text.count, Z_BUF_ERROR:
        throw .truncated(decoded: output.count)
      case Z_OK: continue
      case Z_MEM_ERROR: throw .noMemory
      default: throw .malformed(decoded: output.count)
      }
    }
  }

  /// Decompresses the next bytes into `chunk`. Returns zlib's result, and the number of bytes
  /// written to `chunk`.
  private func inflateStep(_ chunk: inout [UInt8]) -> (code: Int32, produced: Int) {
    let capacity = chunk.count
    let start = consumed
    let code = unsafe text.withUnsafeBytes { input in
      unsafe chunk.withUnsafeMutableBytes { output in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: input[start...])
        // zlib only reads through this pointer, although its type is mutable for historical
        // reasons.
        unsafe stream.next_in = UnsafeMutablePointer(
          mutating: rest.bindMemory(to: UInt8.self).baseAddress)
        unsafe stream.avail_in = UInt32(clamping: rest.count)
        unsafe stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
        unsafe stream.avail_out = UInt32(capacity)
        let before = unsafe stream.avail_in
        let code = unsafe inflate(&stream, Z_NO_FLUSH)
        consumed += unsafe Int(before - stream.avail_in)
        return code
      }
    }
    return (code, unsafe capacity - Int(stream.avail_out))
  }
}
