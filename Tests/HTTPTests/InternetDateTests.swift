import HTTP
import Testing

@Suite struct InternetDateTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"),
      (784_111_777_250, "1994-11-06T08:49:37.250Z"),
      (951_827_696_789, "2000-02-29T12:34:56.789Z"),
      // Before 1970 the fraction still counts upwards.
      (-1, "1969-12-31T23:59:59.999Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      // Years that do not fit into four digits.
      (Int64.max, "9999-12-31T23:59:59.999Z"), (Int64.min, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func `a time is written with milliseconds, in UTC`(milliseconds: Int64, text: String) {
    #expect(InternetDate.text(milliseconds: milliseconds) == text)
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:30:15Z", 951_827_415),
      ("2026-11-22T21:00:00Z", 1_795_381_200), ("2026-11-22T21:00:00.123456Z", 1_795_381_200),
      ("2026-11-22T22:30:00+01:30", 1_795_381_200), ("2026-11-22T20:00:00-01:00", 1_795_381_200),
      ("2026-11-22", nil), ("2026-13-22T21:00:00Z", nil), ("2026-11-22T21:00:00", nil),
      ("2026-11-22T21:00:00Zx", nil), ("", nil), ("2026-11-22T24:00:00Z", nil),
      ("2026-11-22t21:00:00z", 1_795_381_200), ("1969-12-31T23:59:59Z", -1),
      ("9999-12-31T23:59:59Z", 253_402_300_799),
    ] as [(String, Int64?)])
  func `times of RFC 3339 are read`(text: String, expected: Int64?) {
    #expect(InternetDate.seconds(text) == expected)
  }
}
