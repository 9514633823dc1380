/// Returns the size of a text after gzip, or nil if zlib fails. Allocates on each call, so keep it
/// off the hot path.
package func gzipSize(of bytes: [UInt8]) -> Int? {
  let compressed = GzipCompressor().compress(bytes.span)
  return compressed.isEmpty ? nil : compressed.count
}
