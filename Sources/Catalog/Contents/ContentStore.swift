internal import Gzip
internal import Posix
package import Settings

/// The served contents. Files with the same bytes share one content, which is compressed only once.
///
/// Only one thread may use a store.
package struct ContentStore {
  package let maker: ContentMaker
  /// The contents by `Content.key`. If two contents have the same key, only the first is stored
  /// here, and files cannot share the second.
  private var known: [UInt64: Content] = [:]
  /// Contents that are already served but not compressed yet.
  private var uncompressed: [Content] = []
  /// The total bytes of all contents and their gzip representations. For a content that is not
  /// compressed yet, the total includes its size twice, to reserve room for the gzip
  /// representation.
  private var bytes = 0
  private let mostBytes: Int
  private var compressor: GzipCompressor?
  private var smallCompressor: GzipCompressor?

  /// - Parameter mostBytes: The maximum bytes of all contents. The default is half of the process's
  ///   memory limit; without a memory limit, the bytes are unlimited.
  package init(
    cacheControl: String, wellKnown: WellKnownFiles = WellKnownFiles(), mostBytes: Int? = nil
  ) {
    self.mostBytes = mostBytes ?? (MemoryLimit.own?.bytes ?? .max) / 2
    maker = ContentMaker(cacheControl: cacheControl, wellKnown: wellKnown)
  }

  /// Returns whether the limit on bytes allows this content. If necessary, removes unused contents
  /// first.
  package mutating func hasRoom(for content: Content) -> Bool {
    func fits() -> Bool {
      known[content.key] != nil || bytes + 2 * content.identity.body.count <= mostBytes
    }
    if !fits() { removeUnused() }
    return fits()
  }

  /// Returns the stored content with the same bytes and kind as `content`. If there is none, stores
  /// and returns `content`, which may have been made by another thread.
  ///
  /// A new content is not compressed yet; `compressNext` compresses it later.
  package mutating func adopt(_ content: Content) -> Content {
    if let other = known[content.key] {
      return other.digest == content.digest && other.kind == content.kind ? other : content
    }
    known[content.key] = content
    uncompressed.append(content)
    bytes += 2 * content.identity.body.count
    return content
  }

  /// Whether some contents are not compressed yet.
  package var hasUncompressed: Bool { !uncompressed.isEmpty }

  /// Compresses one of the contents that are not compressed yet.
  package mutating func compressNext() {
    guard let content = uncompressed.popLast() else { return }
    let body = content.identity.body
    let compressed = compressed(body)
    bytes -= body.count
    // Use the gzip representation only if it is smaller than the content.
    if compressed.count < body.count && !compressed.isEmpty {
      maker.add(compressed: compressed, to: content)
      bytes += compressed.count
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

  /// Forgets contents that are no longer served.
  package mutating func removeUnused() {
    // Remove nothing until all contents are compressed. Until then, `uncompressed` refers to some
    // contents, so even an unused content would seem to be in use.
    if hasUncompressed { return }
    var unused: [UInt64] = []
    var index = known.values.startIndex
    while index != known.values.endIndex {
      if isKnownUniquelyReferenced(&known.values[index]) { unused.append(known.keys[index]) }
      known.values.formIndex(after: &index)
    }
    for key in unused {
      guard let content = known.removeValue(forKey: key) else { continue }
      bytes -= content.identity.body.count + (content.gzip?.body.count ?? 0)
    }
  }
}
