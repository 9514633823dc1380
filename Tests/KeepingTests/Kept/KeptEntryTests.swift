import Settings
import Testing

@testable import Keeping

/// The form of kept files.
@Suite struct KeptEntryTests {
  private static let entry = KeptEntry(
    parts: [
      .init(
        place: .file("apple-app-site-association"), bytes: Array("{}\n\n".utf8),
        lastModified: 1_700_000_000),
      .init(place: .signedAssociation, bytes: [0, 1, 255], isFlawed: true),
      .init(place: .file("assetlinks.json"), bytes: [], isHeld: true),
      .init(place: .file("matrix/client"), bytes: Array("part a 1 1\n".utf8)),
      .init(place: .hosts, bytes: Array("a.test\n".utf8), isFlawed: true, isHeld: true),
    ], time: 1_790_000_000)

  @Test func `an entry is read as it was written`() {
    #expect(KeptEntry(Self.entry.encoded) == Self.entry)
  }

  @Test func `a certificate's bytes are overwritten, and no others`() {
    var entry = KeptEntry(
      parts: [.init(place: .certificate, bytes: [1, 2]), .init(place: .hosts, bytes: [3])], time: 0)
    #expect(KeptEntry(entry.encoded) == entry)
    entry.cleanseKey()
    #expect(entry.parts.map(\.bytes) == [[0, 0], [3]])
  }

  @Test(arguments: [
    (KeptKey.certificate("a.test.crt", isIssued: false), "a.test.crt.pem"),
    (.certificate("a.test.pem", isIssued: true), "acme:a.test.pem.pem"),
    (.certificate("a b/%.é/tls.crt", isIssued: false), "a%20b%2F%25.%C3%A9%2Ftls.crt.pem"),
    (.certificate("acme:x.crt", isIssued: false), "acme%3Ax.crt.pem"),
    (.entry(.wildcard("a.test")), "*.a.test"), (.entry(.any), "_default"),
  ])
  func `a file's name says what it belongs to`(key: KeptKey, file: String) {
    #expect(key.file == file && KeptKey(file: file, in: key.folder) == key)
  }

  @Test(arguments: ["a.crt", "a%2fb.crt.pem", "a%zz.crt.pem", "a/b.crt.pem", "%ff.pem", ".aasa-1"])
  func `another name in the folder of certificates is not a kept file`(file: String) {
    #expect(KeptKey(file: file, in: .certificates) == nil)
  }

  @Test func `a byte that differs, and an end that is missing, are damage`() {
    let bytes = Self.entry.encoded
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x10
      #expect(KeptEntry(other) == nil, "\(index)")
      #expect(KeptEntry(Array(bytes.prefix(index))) == nil)
    }
    #expect(KeptEntry(bytes + [0]) == nil)
  }

  /// With a right digest, as somebody who writes there could make it.
  @Test(arguments: [
    "", "\n", "time 1\n\n", "time x\npart association 0 0\n\n", "time 1\npart association 0 1\n\n",
    "time 1\npart association 0 -1\n\n", "time 1\npart association 0 9223372036854775807\n\n",
    "time 1\npart other 0 0\n\n", "time 1\npart association 0\n\n", "part association 0 0\n\n",
    "time 1\npart association 0 0\n\nx",
  ])
  func `a head that says what is not so is damage`(content: String) {
    #expect(KeptEntry(KeptEntry.file([Array(content.utf8)])) == nil)
  }
}
