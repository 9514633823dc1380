import Testing

@testable import Checking

@Suite struct NameAliasTests {
  /// A message of one question, and one CNAME record of the questioned name.
  private static func message(_ target: [UInt8]) -> [UInt8] {
    let name: [UInt8] = [1, 0x61, 2, 0x64, 0x65, 0]
    return [0, 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0] + name + [0, 1, 0, 1] + [
      0xC0, 12, 0, 5, 0, 1,
    ]
      + [0, 0, 0, 60, 0, UInt8(target.count)] + target
  }

  @Test func `a target is read, with names that were written before`() {
    #expect(aliasTarget(in: Self.message([1, 0x42, 0xC0, 14])) == "b.de")
    #expect(aliasTarget(in: Self.message([1, 0x62, 0])) == "b")
  }

  @Test func `no message ends the program, and no name leads in circles`() {
    let whole = Self.message([1, 0x62, 0xC0, 12])
    for count in 0..<whole.count { #expect(aliasTarget(in: Array(whole.prefix(count))) == nil) }
    // The target begins at byte 34.
    #expect(aliasTarget(in: Self.message([0xC0, 34])) == nil)
    #expect(aliasTarget(in: Self.message([0xC0, 0xFF])) == nil)
    for place in whole.indices {
      for byte: UInt8 in [0, 0x3F, 0x40, 0xC0, 0xFF] {
        var message = whole
        message[place] = byte
        _ = aliasTarget(in: message)
      }
    }
  }
}
