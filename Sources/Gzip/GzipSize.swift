/// The size of a text after gzip; nil if zlib fails. Allocates each time: not for the hot path.
package func gzipSize(of bytes: [UInt8]) -> Int? {
  let compressed = GzipCompressor().compress(bytes.span)
  return compressed.isEmpty ? nil : compressed.count
}
