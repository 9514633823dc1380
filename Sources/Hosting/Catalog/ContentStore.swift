internal import Gzip

/// The contents that are served: gives the same content for the same bytes, and compresses them.
///
/// Belongs to one thread.
struct ContentStore {
  let maker: ContentMaker
  /// By a number that is another one for other bytes or kinds, but in cases that nobody has seen:
  /// then the later content is not shared.
  private var known: [UInt64: Content] = [:]
  /// Those that are served while they wait for their gzip representations.
  private var uncompressed: [Content] = []
  private var compressor: GzipCompressor?
  private var smallCompressor: GzipCompressor?

  init(cacheControl: String) {
    maker = ContentMaker(cacheControl: cacheControl)
  }

  /// A content that another thread has made, or the one with the same bytes that is already here.
  ///
  /// It is compressed later: `compressNext`.
  mutating func adopt(_ content: Content) -> Content {
    if let other = known[content.key] {
      return other.digest == content.digest && other.kind == content.kind ? other : content
    }
    known[content.key] = content
    uncompressed.append(content)
    return content
  }

  /// Whether some contents are not compressed yet.
  var hasUncompressed: Bool { !uncompressed.isEmpty }

  /// Compresses one that is not.
  mutating func compressNext() {
    guard let content = uncompressed.popLast() else { return }
    let bytes = content.identity.body
    let compressed = compressed(bytes)
    // Only where it is smaller.
    if compressed.count < bytes.count && !compressed.isEmpty {
      maker.add(compressed: compressed, to: content)
    }
    if uncompressed.isEmpty { uncompressed = [] }
  }

  private mutating func compressed(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.count <= GzipCompressor.smallBytes {
      let compressor = smallCompressor ?? GzipCompressor(isSmall: true)
      smallCompressor = compressor
      return compressor.compress(bytes.span)
    }
    let compressor = compressor ?? GzipCompressor()
    self.compressor = compressor
    return compressor.compress(bytes.span)
  }

  /// Forgets contents that nobody serves any more.
  mutating func removeUnused() {
    // What waits to be compressed is held there.
    if hasUncompressed { return }
    var unused: [UInt64] = []
    var index = known.values.startIndex
    while index != known.values.endIndex {
      if isKnownUniquelyReferenced(&known.values[index]) { unused.append(known.keys[index]) }
      known.values.formIndex(after: &index)
    }
    for key in unused { known[key] = nil }
  }
}
