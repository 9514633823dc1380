internal import CZlib

/// Compresses whole texts with zlib into the gzip format (RFC 1952), at the best compression level.
///
/// A compressor allocates its working memory once, about 400 KiB, and uses it for all texts. A
/// compressor that is only for small texts needs 40 KiB.
@safe
package final class GzipCompressor {
  private var stream: z_stream
  private var output: [UInt8] = []

  /// The maximum size in bytes of a text that a compressor for small texts accepts.
  package static let smallBytes = 4096

  package init(isSmall: Bool = false) {
    unsafe stream = z_stream()
    let code =
      isSmall
      ? unsafe aasa_deflate_init_small_gzip(&stream) : unsafe aasa_deflate_init_gzip(&stream)
    isUsable = code == Z_OK
  }

  /// Whether zlib could allocate its memory. If not, `compress` returns no bytes.
  private var isUsable = false

  deinit {
    if isUsable { _ = unsafe deflateEnd(&stream) }
  }

  /// Returns the compressed text, which is empty if zlib fails.
  package func compress(_ text: Span<UInt8>) -> [UInt8] {
    guard isUsable, unsafe deflateReset(&stream) == Z_OK else { return [] }
    let bound = Int(unsafe deflateBound(&stream, UInt(text.count)))
    if output.count < bound { output = [UInt8](repeating: 0, count: bound) }
    let capacity = output.count
    let isComplete = unsafe text.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { output in
        // zlib only reads through this pointer, although its type is mutable for historical
        // reasons.
        unsafe stream.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
        unsafe stream.avail_out = UInt32(capacity)
        return unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
    }
    guard isComplete else { return [] }
    // Copy the result to an array without spare capacity, because the caller stores the array for a
    // long time.
    let count = unsafe capacity - Int(stream.avail_out)
    return Array(output[..<count])
  }
}

/// The version of zlib that this process uses at run time.
package let zlibVersion = unsafe CZlib.zlibVersion().map { unsafe String(cString: $0) } ?? ""

/// Returns the size of a text after gzip compression, or nil if zlib fails. Allocates memory on
/// each call, so do not call it for each request.
package func gzipSize(of bytes: [UInt8]) -> Int? {
  let compressed = GzipCompressor().compress(bytes.span)
  return compressed.isEmpty ? nil : compressed.count
}
