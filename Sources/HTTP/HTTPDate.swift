internal import Bytes

/// Dates in HTTP's formats (RFC 9110 section 5.6.7), in seconds since 1970, UTC.
package enum HTTPDate {
  /// The length of `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static let length = 29

  /// The range of times that HTTP dates can express, because their years have four digits: the
  /// years 0000 to 9999.
  static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  /// Appends an IMF-fixdate, always 29 bytes long. A time outside the years 0000 to 9999 is clamped
  /// to these years.
  package static func append(_ seconds: Int64, to output: inout [UInt8]) {
    let text = text(seconds)
    for index in text.indices { output.append(text[index]) }
  }

  /// Returns an IMF-fixdate as an inline array. Every file stores such a date, and an inline array
  /// is stored without a separate allocation.
  static func text(_ seconds: Int64) -> [29 of UInt8] {
    let moment = CivilTime(min(max(seconds, range.lowerBound), range.upperBound))
    var text = [29 of UInt8](repeating: ASCII.space)
    for index in 0..<3 {
      text[index] = dayNames[moment.weekday &* 3 &+ index]
      text[8 &+ index] = monthNames[(moment.month &- 1) &* 3 &+ index]
      text[26 &+ index] = zone[index]
    }
    text[3] = UInt8(ascii: ",")
    setTwoDigits(moment.day, &text, at: 5)
    setTwoDigits(moment.year / 100, &text, at: 12)
    setTwoDigits(moment.year % 100, &text, at: 14)
    setTwoDigits(moment.hour, &text, at: 17)
    text[19] = UInt8(ascii: ":")
    setTwoDigits(moment.minute, &text, at: 20)
    text[22] = UInt8(ascii: ":")
    setTwoDigits(moment.second, &text, at: 23)
    return text
  }

  static let dayNames = Array("SunMonTueWedThuFriSat".utf8)
  static let monthNames = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)
  private static let zone = Array("GMT".utf8)

  private static func setTwoDigits(_ number: Int, _ text: inout [29 of UInt8], at index: Int) {
    text[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10)
    text[index &+ 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
  }

  /// Parses the date that fills `start..<end`, in any of the three forms that a recipient must
  /// accept; nil if the bytes are not a date.
  ///
  /// Letters must be in the correct case. A wrong day of the week makes a date invalid. In the RFC
  /// 850 form, the day of the week may be wrong, because the two-digit year does not determine the
  /// century.
  ///
  /// - Parameter now: The current time in seconds since 1970. A date with a two-digit year that
  ///   seems to be more than 50 years in the future is read as a date in the past.
  package static func parse(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, now: Int64
  ) -> Int64? {
    var reader = DateReader(index: start, end: end)
    let seconds: Int64?
    if end &- start == length, bytes[start &+ 3] == UInt8(ascii: ",") {
      seconds = reader.readFixdate(bytes)
    } else if end &- start == 24 {
      seconds = reader.readAsctime(bytes)
    } else {
      seconds = reader.readRFC850(bytes, now: now)
    }
    return reader.index == end ? seconds : nil
  }
}
