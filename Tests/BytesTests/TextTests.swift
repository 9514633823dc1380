import Bytes
import Testing

@Suite struct TextTests {
  @Test(
    arguments: [
      ("", ""), (" ", ""), ("  a b ", "a b"), ("a", "a"), (" a", "a"), ("a ", "a"), ("\ta", "\ta"),
    ])
  func `what surrounds a text is removed, and nothing within it`(text: String, expected: String) {
    #expect(text.trimmed { $0 == " " } == expected)
  }

  @Test(
    arguments: [
      ("0", true), ("0123456789", true), ("", false), ("-1", false), ("1 ", false), ("١", false),
      ("1\u{301}", false),
    ])
  func `a decimal number has ASCII digits only`(text: String, expected: Bool) {
    #expect(text.isDecimal == expected)
  }

  @Test(
    arguments: [
      ("", "a", nil), ("a", "", nil), ("abc", "abc", 0), ("abc", "abcd", nil), ("aab", "ab", 1),
      ("a\r\nb", "\n", 2), ("né", "é", 1), ("e\u{301}", "e", 0), ("aaa", "b", nil),
    ] as [(String, String, Int?)])
  func `a text is found byte for byte`(text: String, wanted: String, offset: Int?) {
    let found = text.firstRange(of: wanted)
    #expect(found.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == offset)
    #expect(found.map { String(text[$0]) == wanted } ?? true)
    #expect(text.contains(wanted) == (offset != nil))
    #expect(text[...].contains(wanted[...]) == (offset != nil))
    #expect(Array(text.utf8).contains(wanted) == (offset != nil))
  }

  @Test func `bytes are looked for from a place on`() {
    let bytes = Array("a.b.c".utf8)
    #expect(bytes.firstRange(of: ".", from: 2) == 3..<4)
    #expect(bytes.firstRange(of: ".", from: 4) == nil && bytes.firstRange(of: ".", from: 9) == nil)
  }

  @Test(
    arguments: [
      ("", "a", "b", ""), ("a", "", "b", "a"), ("a&b&c", "&", "&amp;", "a&amp;b&amp;c"),
      ("aaa", "aa", "b", "ba"), ("&", "&", "", ""), ("x", "y", "z", "x"),
    ])
  func `every occurrence is replaced once`(
    text: String, wanted: String, other: String, expected: String
  ) {
    #expect(text.replacing(wanted, with: other) == expected)
    #expect(text[...].replacing(wanted, with: other) == expected)
  }
}
