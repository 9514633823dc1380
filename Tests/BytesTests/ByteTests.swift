import Bytes
import Testing

@Suite struct ByteTests {
  @Test func `each class holds the bytes of its name`() {
    for byte in UInt8.min...UInt8.max {
      let character = Character(Unicode.Scalar(byte))
      #expect(byte.isDigit == ("0"..."9").contains(character))
      #expect(byte.isLetter == (character.isASCII && character.isLetter))
      #expect(byte.isWhitespace == (character == " " || character == "\t"))
      #expect(isHostNameByte(byte) == (byte.isDigit || byte.isLetter || "-._".contains(character)))
    }
  }

  @Test func `eight bytes make a word, and seven do not`() {
    let bytes = Array("ABCDEFGHI".utf8)
    #expect(word(bytes.span, at: 1) == 0x4948_4746_4544_4342)
    #expect(word(bytes.span, at: 2) == nil && word(bytes.span, at: -1) == nil)
    let seven = Array(bytes[..<7])
    #expect(word(seven.span, at: 0) == nil)
    #expect(repeated(0x20) == 0x2020_2020_2020_2020)
  }

  /// With the end of the bytes right behind it, and far away.
  @Test(arguments: 1...8) func `up to eight bytes make a word in lower case`(count: Int) {
    let text = "HoSt-aBc"
    let bytes = Array(text.utf8.prefix(count))
    let expected = letters(String(text.lowercased().prefix(count)))
    #expect(foldedWord(bytes.span, at: 0, count: count) == expected)
    let longer = bytes + Array(repeating: 0xFF, count: 9)
    #expect(foldedWord(longer.span, at: 0, count: count) == expected)
  }

  @Test func `control characters are those of Unicode's category`() {
    let differing = (0...0x10_FFFF).lazy.compactMap { Unicode.Scalar(UInt32($0)) }
      .first { $0.isControl != ($0.properties.generalCategory == .control) }
    #expect(differing == nil)
  }
}
