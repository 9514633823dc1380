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

  /// The content for these bytes, compressed.
  mutating func content(of bytes: [UInt8], kind: ContentKind) -> Content {
    let digest = ContentMaker.digest(of: bytes)
    if let content = known(digest, kind) { return content }
    let content = adopt(maker.content(of: bytes, digest: digest, kind: kind)).content
    compressAll()
    return content
  }

  /// A content that another thread has made, or the one with the same bytes that is already here.
  ///
  /// It is compressed later: `compressNext`.
  mutating func adopt(_ content: Content) -> (content: Content, isNew: Bool) {
    let key = content.key
    if let other = known[key] {
      let isSame = other.digest == content.digest && other.kind == content.kind
      return (isSame ? other : content, false)
    }
    known[key] = content
    uncompressed.append(content)
    return (content, true)
  }

  private func known(_ digest: Digest256, _ kind: ContentKind) -> Content? {
    guard let content = known[Content.key(digest, kind)], content.digest == digest,
      content.kind == kind
    else { return nil }
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

  mutating func compressAll() {
    while hasUncompressed { compressNext() }
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

  mutating func reserveCapacity(_ count: Int) { known.reserveCapacity(count) }

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
