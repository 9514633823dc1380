internal import CZlib

/// Decompresses raw deflate data (RFC 1951), as found in ZIP archives, piece by piece.
@safe
package final class Inflater {
  private var stream: z_stream
  private let isUsable: Bool
  private var isAtEnd = false

  package init() {
    unsafe stream = z_stream()
    isUsable = unsafe aasa_inflate_init_raw(&stream) == Z_OK
  }

  deinit {
    if isUsable { _ = unsafe inflateEnd(&stream) }
  }

  /// The result of one step.
  package struct Step {
    /// The number of input bytes that were decompressed.
    package let consumed: Int
    package let output: [UInt8]
    /// Whether the end of the deflate data was reached.
    package let isAtEnd: Bool
  }

  /// Decompresses input to at most `capacity` bytes. Throws `malformed` if the input is not deflate
  /// data.
  package func step(_ input: ArraySlice<UInt8>, capacity: Int) throws(GzipFault) -> Step {
    guard isUsable else { throw .noMemory }
    if isAtEnd { return Step(consumed: 0, output: [], isAtEnd: true) }
    var output = [UInt8](repeating: 0, count: capacity)
    let (code, consumed, produced) = unsafe input.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { output in
        // zlib only reads through this pointer, although its type is mutable for historical
        // reasons.
        unsafe stream.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        unsafe stream.avail_in = UInt32(clamping: input.count)
        unsafe stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
        unsafe stream.avail_out = UInt32(clamping: output.count)
        let before = unsafe stream.avail_in
        let code = unsafe inflate(&stream, Z_NO_FLUSH)
        return (
          code, unsafe Int(before - stream.avail_in),
          unsafe output.count - Int(stream.avail_out)
        )
      }
    }
    output.removeLast(capacity - produced)
    switch code {
    case Z_STREAM_END: isAtEnd = true
    // `Z_BUF_ERROR` means that zlib could make no progress: either zlib needs more input, or the
    // input is truncated.
    case Z_OK, Z_BUF_ERROR: break
    case Z_MEM_ERROR: throw .noMemory
    default: throw .malformed(decoded: 0)
    }
    return Step(consumed: consumed, output: output, isAtEnd: isAtEnd)
  }
}
