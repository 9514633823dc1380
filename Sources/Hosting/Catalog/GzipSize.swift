internal import Gzip

/// How many bytes gzip makes of a text; nil when zlib refuses. Keeps nothing: not for the hot path.
package func gzipSize(of bytes: [UInt8]) -> Int? {
  let compressed = GzipCompressor().compress(bytes.span)
  return compressed.isEmpty ? nil : compressed.count
}
