internal import HTTP
internal import Posix
package import Settings
internal import Synchronization
internal import TLS

/// Makes contents from the bytes of files. Any thread may use this type.
package struct ContentMaker: Sendable {
  /// For each kind of file, the response heads that all contents of this kind share: a pair of
  /// heads for uncompressed bodies, and a pair of heads for gzip bodies.
  private let heads: [(identity: Heads, gzip: Heads)]

  private let largeBodies = LargeBodies()

  private struct Heads {
    let ok: [UInt8]
    let notModified: [UInt8]
  }

  package init(cacheControl: String, wellKnown: WellKnownFiles = WellKnownFiles()) {
    // The heads must be in the order of `ContentKind`: first the signed file, then the well-known
    // files.
    let signed: [(String, [(name: String, value: String)])] = [("application/pkcs7-mime", [])]
    heads = (signed + wellKnown.files.map { ($0.mediaType, $0.fields) }).map { type in
      (
        Self.heads(type, coding: nil, cacheControl), Self.heads(type, coding: "gzip", cacheControl)
      )
    }
  }

  /// Returns the content for these bytes. The content is not compressed yet.
  ///
  /// - Parameter made: Existing contents. If an existing content has the same bytes and kind, the
  ///   function returns it and computes no hash, because a comparison is cheaper than a hash.
  package func content(
    of bytes: [UInt8], kind: ContentKind, among made: [Content] = []
  ) -> Content {
    if let same = made.first(where: {
      $0.kind == kind && $0.identity.commonHead == heads(of: kind)?.identity.ok
        && $0.identity.body == bytes
    }) {
      return same
    }
    let digest = Digest256(Digest.sha256(bytes.span))
    return Content(
      digest: digest, kind: kind,
      identity: representation(bytes, heads(of: kind)?.identity, digest, suffix: ""))
  }

  /// Adds the gzip representation to a content.
  func add(compressed: [UInt8], to content: Content) {
    content.setGzip(
      representation(
        compressed, heads(of: content.kind)?.gzip, content.digest, suffix: "-gzip"))
  }

  private func heads(of kind: ContentKind) -> (identity: Heads, gzip: Heads)? {
    let number = Int(kind.rawValue)
    return heads.indices.contains(number) ? heads[number] : nil
  }

  private func representation(
    _ body: [UInt8], _ heads: Heads?, _ digest: Digest256, suffix: String
  ) -> Representation {
    var own: [UInt8] = []
    own.reserveCapacity(72)
    own.append(contentsOf: "Content-Length: ".utf8)
    own.append(contentsOf: String(body.count).utf8)
    own.append(contentsOf: "\r\nETag: \"".utf8)
    let entityTagLine = own.count - 7
    let tag = digest.tagBytes
    for index in tag.indices { own.append(tag[index]) }
    own.append(contentsOf: suffix.utf8)
    own.append(contentsOf: "\"\r\n".utf8)
    return Representation(
      commonHead: heads?.ok ?? [], notModifiedHead: heads?.notModified ?? [],
      contentFields: ContentFields(own, entityTagLine: entityTagLine), body: body,
      file: largeBodies.file(of: body))
  }

  private static func heads(
    _ type: (name: String, fields: [(name: String, value: String)]), coding: String?,
    _ cacheControl: String
  ) -> Heads {
    var ok = ResponseHead(status: .ok)
    ok.addPrepared("Content-Type", type.name)
    for field in type.fields { ok.addPrepared(field.name, field.value) }
    if let coding { ok.addPrepared("Content-Encoding", coding) }
    // If a field would be in the 200 response, RFC 9110 section 15.4.5 requires the field in the
    // 304 response too.
    var notModified = ResponseHead(status: .notModified)
    for (name, value) in [
      ("Cache-Control", cacheControl), ("Vary", "Accept-Encoding"),
      ("X-Content-Type-Options", "nosniff"),
    ] {
      ok.addPrepared(name, value)
      notModified.addPrepared(name, value)
    }
    return Heads(ok: ok.bytes, notModified: notModified.bytes)
  }
}

/// Memory files that contain large bodies. The kernel sends a memory file without copying it.
final class LargeBodies: Sendable {
  /// The minimum size of a body that gets a memory file. From this size on, sending without copying
  /// saves more time than the additional system call takes.
  private static let bytes = 32 * 1024
  /// The maximum number of memory files. Each memory file uses a file descriptor, and connections
  /// need file descriptors too.
  private static let count = 16

  private struct WeakFile {
    weak var file: MemoryFile?
  }

  private let files = Mutex<[WeakFile]>([])

  /// Returns a memory file with the body. Returns nil if the body is small, if the maximum number
  /// of memory files is reached, or if the kernel creates no memory file.
  func file(of body: [UInt8]) -> MemoryFile? {
    if body.count < Self.bytes { return nil }
    return files.withLock { files -> MemoryFile? in
      files = files.filter { $0.file != nil }
      if files.count >= Self.count { return nil }
      let file = MemoryFile(body)
      if let file { files.append(WeakFile(file: file)) }
      return file
    }
  }
}
