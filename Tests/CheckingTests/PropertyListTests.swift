import Testing

@testable import Checking

@Suite struct PropertyListTests {
  static func plist(_ body: String) -> [UInt8] {
    Array(
      "<?xml version=\"1.0\"?><!DOCTYPE plist><plist version=\"1.0\">\(body)</plist>".utf8)
  }

  @Test func `entitlements are read`() throws {
    let entries = try PropertyList.dictionary(
      Self.plist(
        """
        <dict><!-- <key>no</key> --><key>a</key><string>x &amp; y&lt;</string>
        <key>flag</key><true/><key>e</key><array/>
        <key>nested</key><dict><key>a</key><dict><key>b</key><string>z</string></dict></dict>
        <key>list</key><array><string>applinks:example.com</string><dict/></array>
        <key>empty</key><string/></dict>
        """))
    #expect(
      entries == [
        "a": .text("x & y<"), "flag": .other, "e": .list([]), "nested": .other,
        "list": .list(["applinks:example.com"]), "empty": .text(""),
      ])
  }

  @Test(
    arguments: [
      [], Array("bplist00".utf8), Array("{}".utf8), Array("<plist>".utf8), plist("<array/>"),
      plist("<dict><key>a</key><string>x</string>").dropLast(8), Array("<plist><dict><key>".utf8),
      plist("<dict><string>x</string></dict>"), Array("<plist><dict><!--".utf8),
    ] as [[UInt8]]) func `anything but a property list is refused`(bytes: [UInt8])
  {
    #expect(throws: PropertyListFault.self) { try PropertyList.dictionary(bytes) }
  }
}
