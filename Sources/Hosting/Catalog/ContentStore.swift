internal import HTTP
internal import Posix
internal import TLS

/// Makes contents from bytes, and gives the same content for the same bytes.
///
/// It holds contents weakly: one that no site serves any more goes.
struct ContentStore {
  private struct Key: Hashable {
    let digest: Digest256
    let kind: ContentKind
  }

  private struct WeakContent {
    weak var content: Content?
  }

  private var known: [Key: WeakContent] = [:]
  private var compressor = GzipCompressor()
  private let cacheControl: String
  /// The heads that all contents of a kind share, by kind and coding.
  private var heads: [HeadKey: Heads] = [:]

  private struct HeadKey: Hashable {
    let kind: ContentKind
    let coding: String?
  }

  private struct Heads {
    let ok: [UInt8]
    let notModified: [UInt8]
  }

  /// The large bodies that have a descriptor.
  private var files: [WeakFile] = []

  private struct WeakFile {
    weak var file: MemoryFile?
  }

  init(cacheControl: String) {
    self.cacheControl = cacheControl
  }

  /// The content for these bytes.
  mutating func content(of bytes: [UInt8], kind: ContentKind) -> Content {
    let digest = Digest256(Digest.sha256(bytes.span))
    let key = Key(digest: digest, kind: kind)
    if let content = known[key]?.content { return content }
    let compressed = compressor.compress(bytes.span)
    let content = Content(
      digest: digest,
      identity: representation(bytes, kind: kind, tag: "\"\(digest.tag)\"", coding: nil),
      gzip: compressed.count < bytes.count && !compressed.isEmpty
        ? representation(compressed, kind: kind, tag: "\"\(digest.tag)-gzip\"", coding: "gzip")
        : nil)
    known[key] = WeakContent(content: content)
    return content
  }

  /// Forgets contents that nobody serves any more.
  mutating func removeUnused() {
    known = known.filter { $0.value.content != nil }
  }

  private mutating func representation(
    _ body: [UInt8], kind: ContentKind, tag: String, coding: String?
  ) -> Representation {
    let heads = commonHeads(HeadKey(kind: kind, coding: coding))
    var own: [UInt8] = []
    let length = "Content-Length: \(body.count)\r\n"
    own.reserveCapacity(length.utf8.count + 8 + tag.utf8.count)
    own.append(contentsOf: length.utf8)
    let entityTagLine = own.count
    own.append(contentsOf: "ETag: ".utf8)
    own.append(contentsOf: tag.utf8)
    own.append(contentsOf: "\r\n".utf8)
    return Representation(
      commonHead: heads.ok, notModifiedHead: heads.notModified, ownLines: own,
      entityTagLine: entityTagLine, body: body, file: memoryFile(body))
  }

  /// A body of this many bytes and more is worth a descriptor: sending it without copying saves
  /// more than the second system call costs.
  private static let largeBodyBytes = 32 * 1024
  /// How many bodies get a descriptor, which are needed for connections.
  private static let files = 16

  private mutating func memoryFile(_ body: [UInt8]) -> MemoryFile? {
    if body.count < Self.largeBodyBytes { return nil }
    files = files.filter { $0.file != nil }
    if files.count >= Self.files { return nil }
    let file = MemoryFile(body)
    if let file { files.append(WeakFile(file: file)) }
    return file
  }

  private mutating func commonHeads(_ key: HeadKey) -> Heads {
    if let made = heads[key] { return made }
    var ok = ResponseHead(status: .ok)
    ok.addPrepared("Content-Type", key.kind.mediaType)
    if let coding = key.coding { ok.addPrepared("Content-Encoding", coding) }
    // RFC 9110 15.4.5: a 304 carries what a 200 would have carried of these.
    var notModified = ResponseHead(status: .notModified)
    for (name, value) in [
      ("Cache-Control", cacheControl), ("Vary", "Accept-Encoding"),
      ("X-Content-Type-Options", "nosniff"),
    ] {
      ok.addPrepared(name, value)
      notModified.addPrepared(name, value)
    }
    let made = Heads(ok: ok.bytes, notModified: notModified.bytes)
    heads[key] = made
    return made
  }
}
