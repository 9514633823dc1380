import Bytes
import Testing

@Suite struct DecimalNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("007", 7), ("100", 100), ("101", nil), ("", nil), ("-1", nil), ("+1", nil),
      (" 1", nil), ("1 ", nil), ("1.5", nil), ("0x1", nil), ("\u{0661}", nil),
      ("9223372036854775807", nil), ("9223372036854775808", nil), ("99999999999999999999999", nil),
    ] as [(String, Int64?)])
  func `a number is digits within a range`(text: String, number: Int64?) {
    #expect(text.decimal(in: 0...100) == number)
  }

  @Test func `times beyond the calendar become its first and last`() {
    #expect(CivilTime(.min) == CivilTime(-62_167_219_200))
    #expect(CivilTime(.min).year == 0 && CivilTime(.max).year == 9999)
    #expect(CivilTime(.max).seconds == CivilTime.seconds.upperBound)
  }
}
