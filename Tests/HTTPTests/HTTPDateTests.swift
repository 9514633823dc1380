import HTTP
import Testing

@Suite struct HTTPDateTests {
  private func format(_ seconds: Int64) -> String {
    var bytes: [UInt8] = []
    HTTPDate.append(seconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func parse(_ text: String, now: Int64 = 1_700_000_000) -> Int64? {
    let bytes = Array("<\(text)>".utf8)
    return HTTPDate.parse(bytes.span, from: 1, to: bytes.count - 1, now: now)
  }

  @Test func `dates are written and read back`() {
    let rows: [(Int64, String)] = [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),  // RFC 9110 section 5.6.7
      (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
      (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
      (1_709_251_200, "Fri, 01 Mar 2024 00:00:00 GMT"),
      (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
      (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
      (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ]
    for (seconds, text) in rows {
      #expect(format(seconds) == text)
      #expect(parse(text) == seconds, "\(text)")
    }
    #expect(format(.max) == "Fri, 31 Dec 9999 23:59:59 GMT")
    #expect(format(.min) == "Sat, 01 Jan 0000 00:00:00 GMT")
    for step in stride(from: Int64(-62_167_219_200), through: 253_402_300_799, by: 98_765_432) {
      #expect(parse(format(step)) == step)
    }
  }

  @Test func `the two old forms are read`() {
    let rows: [(String, Int64?)] = [
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Wed Nov 16 08:49:37 1994", 784_975_777),
      ("Sun Nov 06 08:49:37 1994", 784_111_777),
      // two digits of a year: at most 50 years from now, which is 2023 here
      ("Thursday, 01-Jan-70 00:00:00 GMT", 3_155_760_000),
      ("Wednesday, 14-Nov-73 22:13:20 GMT", 3_277_923_200),
      ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800),
      ("Friday, 01-Jan-99 00:00:00 GMT", 915_148_800),
      ("Tuesday, 01-Jan-74 00:00:00 GMT", 126_230_400),
      // a leap second (RFC 9110 section 5.6.7: second = 2DIGIT, 60 among them)
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ]
    for (text, seconds) in rows {
      #expect(parse(text) == seconds, "\(text)")
    }
  }

  static let invalid = [
    "", " ", "0", "Sun", "Sun,", "now", "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 gmt",
    "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun,  6 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Thu, 31 Nov 1994 08:49:37 GMT",
    "Wed, 29 Feb 2023 00:00:00 GMT",
    "Mon, 29 Feb 2100 00:00:00 GMT", "Mon, 06 Nov 1994 08:49:37 GMT",
    "Xun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Xov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
    " Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMTx", "Sun, -6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37\tGMT",
    "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sunday, 31-Feb-94 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37", "Sun Nov 6 08:49:37 1994",
    "Mon Nov  6 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT",
    "Sun Nov  66 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    "\u{0}un, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT",
  ]

  @Test func `anything else is not a date`() {
    for text in Self.invalid {
      #expect(parse(text) == nil, "\(text)")
    }
  }

  @Test func `the Date field follows the clock`() {
    var field = DateField(now: 0)
    #expect(field.bytes == Array("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n".utf8))
    #expect(field.bytes.count == DateField.length)
    field.refresh(now: 0)
    field.refresh(now: 784_111_777)
    #expect(field.bytes == Array("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n".utf8))
    field.refresh(now: 784_111_776)  // a clock set back
    #expect(field.bytes == Array("Date: Sun, 06 Nov 1994 08:49:36 GMT\r\n".utf8))
  }
}
