internal import HTTP

/// One file's content, ready to serve. Entries with the same bytes share one.
package final class Content: Sendable {
  package let digest: Digest256
  package let identity: Representation
  /// There only when it is smaller.
  package let gzip: Representation?

  init(digest: Digest256, identity: Representation, gzip: Representation?) {
    self.digest = digest
    self.identity = identity
    self.gzip = gzip
  }
}

/// A SHA-256 digest as a value that can be a dictionary's key.
package struct Digest256: Hashable, Sendable {
  package let words: [4 of UInt64]

  /// - Parameter bytes: 32 of them.
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

  /// The first half in hexadecimal: 128 bits are enough for an entity tag.
  package var tag: String {
    (0..<2).map { index in
      let digits = String(words[index], radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// What kind of file it is: decides the media type.
package enum ContentKind: Sendable, Hashable {
  /// An association file as plain JSON.
  case association
  /// An association file as a signed CMS blob.
  case signedAssociation
  /// Android's `assetlinks.json`.
  case assetLinks

  var mediaType: String {
    switch self {
    case .association, .assetLinks: "application/json"
    case .signedAssociation: "application/pkcs7-mime"
    }
  }
}
