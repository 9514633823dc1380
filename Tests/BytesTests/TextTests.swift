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
}
