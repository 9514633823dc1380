import AppFileSupport
import Testing

@testable import AppFiles

@Suite struct PropertyListTests {
  @Test func `XML is read`() throws {
    let list = try PropertyList(
      AppFileSamples.plist(
        """
        <dict><!-- <key>no</key> --><key>a</key><string>x &amp; y&lt;</string>
        <key>flag</key><true/><key>e</key><array/><key>n</key><integer>1</integer>
        <key>nested</key><dict><key>a</key><dict><key>b</key><string>z</string></dict></dict>
        <key>list</key><array><string>applinks:example.com</string><dict/></array>
        <key>empty</key><string/></dict>
        """))
    #expect(
      list
        == .dictionary([
          "a": .text("x & y<"), "flag": .truth(true), "e": .list([]), "n": .other,
          "nested": .dictionary(["a": .dictionary(["b": .text("z")])]),
          "list": .list([.text("applinks:example.com"), .dictionary([:])]), "empty": .text(""),
        ]))
    #expect(list["list"]?.strings == ["applinks:example.com"])
  }

  @Test func `the binary form says the same`() throws {
    let long = String(repeating: "x", count: 300)
    let list = try PropertyList(
      AppFileSamples.binary([
        ("a", nil, "b"), ("list", ["applinks:bücher.example", long], ""), ("empty", [], ""),
      ]))
    #expect(
      list
        == .dictionary([
          "a": .text("b"), "list": .list([.text("applinks:bücher.example"), .text(long)]),
          "empty": .list([]),
        ]))
    let truths = AppFileSamples.binary([[0xA3, 1, 2, 3], [0x09], [0x08], [0x10, 7]])
    #expect(try PropertyList(truths) == .list([.truth(true), .truth(false), .other]))
    // Sets, with an order and without.
    let sets = AppFileSamples.binary([[0xA2, 1, 2], [0xB1, 3], [0xC1, 3], [0x51, 0x61]])
    #expect(try PropertyList(sets) == .list([.list([.text("a")]), .list([.text("a")])]))
  }

  private static let good = AppFileSamples.binary([("a", ["b", "c"], "")])

  /// The good one with other eight bytes, so many before its end.
  private static func withTrailer(_ bytes: [UInt8], before rest: Int) -> [UInt8] {
    var changed = good
    let end = changed.count - rest
    changed.replaceSubrange((end - 8)..<end, with: bytes)
    return changed
  }

  @Test(
    arguments: [
      [], Array("bplist00".utf8), Array("{}".utf8), Array("<plist>".utf8),
      Array(AppFileSamples.plist("<dict><key>a</key><string>x</string>").dropLast(15)),
      Array("<plist><dict><key>".utf8), AppFileSamples.plist("<dict><string>x</string></dict>"),
      Array("<plist><dict><!--".utf8), Array("bplist01".utf8) + Array(good.dropFirst(8)),
      Array(good.dropLast()), Array(good.dropFirst()),
      // A reference, an offset and a table that lead out of it.
      AppFileSamples.binary([[0xA1, 9]]), AppFileSamples.binary([[0x5F, 0x11, 0xFF, 0xFF]]),
      AppFileSamples.binary([[0x70]]),
      withTrailer([UInt8](repeating: 0xFF, count: 8), before: 0),
      // A table within the header.
      withTrailer([0, 0, 0, 0, 0, 0, 0, 3], before: 0),
      withTrailer([0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF], before: 16),
    ] as [[UInt8]]) func `what is broken is refused`(bytes: [UInt8])
  {
    #expect(throws: AppFileFault.self) { try PropertyList(bytes) }
  }

  @Test func `the texts of a binary list have an end, however often one is used`() throws {
    // A text of 64 KiB, used so many times by a list.
    func list(_ uses: Int) -> [UInt8] {
      let text = [0x5F, 0x12, 0, 1, 0, 0] + [UInt8](repeating: 0x61, count: 65_536)
      let count = [UInt8(uses >> 8), UInt8(uses & 0xFF)]
      return AppFileSamples.binary([
        [0xAF, 0x11] + count + [UInt8](repeating: 1, count: uses), text,
      ])
    }
    let limit = AppFileLimits.listTextBytes / 65_536
    #expect(try PropertyList(list(limit)).strings?.count == limit)
    #expect(throws: AppFileFault.tooLong) { try PropertyList(list(limit + 1)) }
  }

  @Test func `entities and characters by number are read in texts and keys`() throws {
    let list = try PropertyList(
      AppFileSamples.plist("<dict><key>a&#38;b</key><string>&#x2F;&#65;&lt;&#38;</string></dict>"))
    #expect(list == .dictionary(["a&b": .text("/A<&")]))
  }

  @Test func `a text goes on after a comment, and is as it stands in CDATA`() throws {
    let list = try PropertyList(
      AppFileSamples.plist("<string>a<!-- no -->b<![CDATA[<c>&amp;]]>d</string>"))
    #expect(list == .text("ab<c>&amp;d"))
  }

  @Test(arguments: [
    ("<dict>\n<key>a</key></dict>", "line 2: the key a has no value"),
    ("<dict>\n\n<string>a</string></dict>", "line 3: a key is expected before <string>"),
    ("<string>a\n<b/></string>", "line 2: text is expected before <b>"),
    ("<array>\n</dict>", "line 2: </array> is expected"),
    ("<array>\n<string>", "line 2: </string> is expected"),
    ("", "line 1: the property list is empty"),
  ])
  func `a fault in XML is named with its line`(body: String, message: String) {
    #expect(throws: AppFileFault.content(message)) {
      try PropertyList(AppFileSamples.plist(body))
    }
  }

  @Test func `an ampersand without an entity costs no search to the end`() throws {
    let text = String(repeating: "&", count: 300_000)
    #expect(try PropertyList(AppFileSamples.plist("<string>\(text)</string>")) == .text(text))
    let mixed = AppFileSamples.plist("<string>a&quot;b&unknown;&am;&#xD800;&#;&amp</string>")
    #expect(try PropertyList(mixed) == .text("a\"b&unknown;&am;&#xD800;&#;&amp"))
  }

  @Test func `depth and number of values have an end`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      AppFileSamples.plist(
        String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth))
    }
    let limit = AppFileLimits.depth
    _ = try PropertyList(nested(limit + 1))
    #expect(throws: AppFileFault.tooDeep) { try PropertyList(nested(limit + 2)) }
    // An object within itself.
    #expect(throws: AppFileFault.tooDeep) {
      try PropertyList(AppFileSamples.binary([[0xA1, 0]]))
    }
    // Ten times the one below, six times: a million of 70 bytes.
    let tens = (1...6).map { [0xAA] + [UInt8](repeating: UInt8($0), count: 10) }
    #expect(throws: AppFileFault.tooMany) {
      try PropertyList(AppFileSamples.binary(tens + [[0x09]]))
    }
    func many(_ count: Int) -> [UInt8] {
      AppFileSamples.plist("<array>\(String(repeating: "<true/>", count: count))</array>")
    }
    _ = try PropertyList(many(AppFileLimits.values - 1))
    #expect(throws: AppFileFault.tooMany) { try PropertyList(many(AppFileLimits.values)) }
  }
}
