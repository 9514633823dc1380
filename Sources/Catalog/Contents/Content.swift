internal import HTTP
internal import Posix

/// The content of a file, ready to serve. All files of the same kind with the same bytes share one
/// content.
package final class Content: Sendable {
  let digest: Digest256
  package let kind: ContentKind
  package let identity: Representation
  /// The gzip representation. The maintenance thread sets this value once, after the content has
  /// been published. Until then, the content is served uncompressed.
  private let compressed = OnceReference<Representation>()

  init(digest: Digest256, kind: ContentKind, identity: Representation) {
    self.digest = digest
    self.kind = kind
    self.identity = identity
  }

  /// The gzip representation; nil if the content has not been compressed yet, or if gzip would not
  /// make it smaller.
  package var gzip: Representation? { compressed.load() }

  /// Whether the gzip representation exists yet.
  var hasGzip: Bool { compressed.isSet }

  func setGzip(_ representation: Representation) {
    _ = compressed.storeIfNil(representation)
  }

  /// A number that identifies the bytes of the content: the first eight bytes of their SHA-256
  /// digest.
  package var version: UInt64 { digest.words[0] }

  /// A hash of the bytes and the kind. Two contents almost certainly have different keys if their
  /// bytes or kinds differ.
  var key: UInt64 { digest.words[0] ^ UInt64(kind.rawValue) }
}

/// A SHA-256 digest as a value that can be the key of a dictionary.
package struct Digest256: Hashable, Sendable {
  package let words: [4 of UInt64]

  /// - Parameter bytes: 32 bytes.
  package init(_ bytes: [UInt8]) {
    precondition(bytes.count == 32)
    words = [4 of UInt64] { index in
      bytes[(index * 8)..<(index * 8 + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  package static func == (left: Digest256, right: Digest256) -> Bool {
    for index in 0..<4 where left.words[index] != right.words[index] { return false }
    return true
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(words[0]) }

  /// The first half of the digest as hexadecimal digits in ASCII. These 128 bits are enough for an
  /// entity tag.
  var tagBytes: [32 of UInt8] {
    [32 of UInt8] { index in
      let shift = UInt64(60 - index % 16 * 4)
      let digit = UInt8(truncatingIfNeeded: words[index / 16] &>> shift) & 0xF
      return digit < 10 ? 0x30 + digit : 0x57 + digit
    }
  }
}

/// The kind of a file, which determines its media type.
package struct ContentKind: Sendable, Hashable {
  let rawValue: UInt8

  /// An association file as a signed CMS blob.
  package static let signedAssociation = ContentKind(rawValue: 0)

  /// Returns the kind of the file with this number in `WellKnownFiles`.
  package static func file(_ number: Int) -> ContentKind {
    ContentKind(rawValue: UInt8(1 + number))
  }
}
