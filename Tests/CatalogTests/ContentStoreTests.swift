import CZlib
import CatalogSupport
import TLS
import Testing

@testable import Catalog
@testable import Settings

@Suite struct ContentStoreTests {
  static let cacheControl = "public, max-age=60"
  static let large = Array(
    (#"{"applinks":{"details":["# + String(repeating: #"{"appIDs":["A.b"]},"#, count: 500)
      + "{}]}}").utf8)

  static func lines(_ head: [UInt8]) -> [String] {
    text(head).split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
  }

  @Test func `the same bytes share one content`() {
    var store = ContentStore(cacheControl: Self.cacheControl)
    let first = store.content(of: Array("{}".utf8), kind: .association)
    let second = store.content(of: Array("{}".utf8), kind: .association)
    let other = store.content(of: Array("{ }".utf8), kind: .association)
    let otherKind = store.content(of: Array("{}".utf8), kind: .signedAssociation)
    #expect(first === second)
    #expect(first !== other)
    #expect(first !== otherKind)
  }

  @Test func `a content that is not served any more is forgotten`() {
    var store = ContentStore(cacheControl: Self.cacheControl)
    weak var gone: Content?
    do {
      let content = store.content(of: Self.large, kind: .association)
      gone = content
      store.removeUnused()
      #expect(store.content(of: Self.large, kind: .association) === content)
    }
    store.removeUnused()
    #expect(gone == nil)
    // Made anew.
    let again = store.content(of: Self.large, kind: .association)
    #expect(again.identity.body == Self.large)
  }

  struct Row: CustomTestStringConvertible {
    let kind: ContentKind
    let mediaType: String
    var testDescription: String { "\(kind)" }
  }

  static let kinds = [
    Row(kind: .association, mediaType: "application/json"),
    Row(kind: .signedAssociation, mediaType: "application/pkcs7-mime"),
    Row(kind: .assetLinks, mediaType: "application/json"),
  ]

  @Test(arguments: kinds)
  func `heads carry exactly the documented fields`(_ row: Row) throws {
    var store = ContentStore(cacheControl: Self.cacheControl)
    let content = store.content(of: Self.large, kind: row.kind)
    let gzip = try #require(content.gzip)
    let common = [
      "Cache-Control: public, max-age=60", "Vary: Accept-Encoding",
      "X-Content-Type-Options: nosniff",
    ]
    let codings: [(Representation, [String])] = [
      (content.identity, []), (gzip, ["Content-Encoding: gzip"]),
    ]
    for (representation, coding) in codings {
      let tag = "ETag: " + text(representation.entityTag)
      let notModified: [String] = ["HTTP/1.1 304 Not Modified", tag] + common
      let length = "Content-Length: \(representation.body.count)"
      let ok: [String] =
        ["HTTP/1.1 200 OK", "Content-Type: \(row.mediaType)", length, tag] + coding + common
      #expect(Set(Self.lines(representation.head)) == Set(ok))
      #expect(Set(Self.lines(representation.conditionalHead)) == Set(notModified))
      for head in [representation.head, representation.conditionalHead] {
        // No line twice, and the last one ended: more lines follow.
        #expect(Set(Self.lines(head)).count == Self.lines(head).count)
        #expect(text(head).hasSuffix("\r\n") && !text(head).hasSuffix("\r\n\r\n"))
      }
    }
  }

  @Test func `entity tags are strong, and differ by content and coding`() throws {
    var store = ContentStore(cacheControl: Self.cacheControl)
    let first = store.content(of: Self.large, kind: .association)
    let second = store.content(of: Self.large + [0x20], kind: .association)
    let tags = [
      first.identity.entityTag, try #require(first.gzip).entityTag, second.identity.entityTag,
      try #require(second.gzip).entityTag,
    ].map(text)
    #expect(Set(tags).count == 4)
    for tag in tags { #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 30) }
  }

  @Test func `a text that gzip makes smaller unpacks to the same bytes`() throws {
    var store = ContentStore(cacheControl: Self.cacheControl)
    // One compressor for all: none must remember another.
    for extra in 0..<5 {
      let bytes = Self.large + Array(repeating: 0x20, count: extra)
      let gzip = try #require(store.content(of: bytes, kind: .association).gzip)
      #expect(gzip.body.count < bytes.count)
      #expect(try gunzip(gzip.body, expecting: bytes.count) == bytes)
    }
  }

  @Test func `a text that gzip makes larger is not compressed`() {
    var store = ContentStore(cacheControl: Self.cacheControl)
    var state: UInt64 = 1
    let noise: [UInt8] = (0..<5_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    for bytes in [[], Array("{}".utf8), noise] {
      let content = store.content(of: bytes, kind: .association)
      #expect(content.gzip == nil)
      #expect(content.identity.body == bytes)
    }
  }

  private struct ZlibError: Error { let code: Int32 }

  /// Unpacks with zlib's own decoder, which accepts only gzip here (RFC 1952).
  private func gunzip(_ bytes: [UInt8], expecting count: Int) throws -> [UInt8] {
    var input = bytes
    var output = [UInt8](repeating: 0, count: count + 100)
    let capacity = output.count
    var stream = z_stream()
    var code = inflateInit2_(
      &stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw ZlibError(code: code) }
    defer { inflateEnd(&stream) }
    code = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(capacity)
        return inflate(&stream, Z_FINISH)
      }
    }
    guard code == Z_STREAM_END, stream.avail_in == 0 else { throw ZlibError(code: code) }
    return Array(output.prefix(capacity - Int(stream.avail_out)))
  }
}

extension Digest256 {
  fileprivate var tag: String {
    String(decoding: tagBytes.indices.map { tagBytes[$0] }, as: UTF8.self)
  }
}

@Suite struct Digest256Tests {
  @Test func `digests of other bytes are other values`() {
    let zero = Digest256([UInt8](repeating: 0, count: 32))
    for index in 0..<32 {
      var bytes = [UInt8](repeating: 0, count: 32)
      bytes[index] = 1
      let digest = Digest256(bytes)
      #expect(digest != zero)
      #expect(digest == Digest256(bytes))
      // The tag shows the first half.
      #expect((digest.tag != zero.tag) == (index < 16))
    }
  }

  @Test func `a tag is the first half in hexadecimal, with its zeros`() {
    #expect(
      Digest256(Array(0..<32)).tag == "000102030405060708090a0b0c0d0e0f")
    // SHA-256 of nothing (FIPS 180-4)
    let nothing: [UInt8] = []
    let digest = Digest256(Digest.sha256(nothing.span))
    #expect(digest.tag == "e3b0c44298fc1c149afbf4c8996fb924")
  }
}
