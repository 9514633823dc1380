/// Dates in HTTP's formats (RFC 9110 section 5.6.7), in seconds since 1970, UTC.
package enum HTTPDate {
  /// The length of `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static let length = 29

  /// The times with a year of four digits: the years 0000 to 9999.
  static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  /// Appends an IMF-fixdate, always 29 bytes. A time outside the years 0000 to 9999 becomes the
  /// nearest one within.
  package static func append(_ seconds: Int64, to output: inout [UInt8]) {
    let text = text(seconds)
    for index in text.indices { output.append(text[index]) }
  }

  /// The same without an array, because many files have one each.
  static func text(_ seconds: Int64) -> [29 of UInt8] {
    let moment = Moment(min(max(seconds, range.lowerBound), range.upperBound))
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

  private static let dayNames = Array("SunMonTueWedThuFriSat".utf8)
  private static let monthNames = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)
  private static let zone = Array("GMT".utf8)

  private static func setTwoDigits(_ number: Int, _ text: inout [29 of UInt8], at index: Int) {
    text[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10)
    text[index &+ 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
  }

  /// The date that fills `start..<end`, in any of the three forms that a recipient must accept; nil
  /// if those bytes are not a date.
  ///
  /// Case matters. A wrong day of the week makes the date invalid, except in the RFC 850 form,
  /// whose century is a guess.
  ///
  /// - Parameter now: A two-digit year that seems to be more than 50 years later is taken to be in
  ///   the past.
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

/// A time in the proleptic Gregorian calendar.
struct Moment: Equatable {
  var year: Int
  /// From 1.
  var month: Int
  /// From 1.
  var day: Int
  var hour = 0
  var minute = 0
  /// 60 in a leap second.
  var second = 0

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  // Days are counted in eras of 400 years that begin in March, so that the leap day is the last day
  // of a year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").

  init(_ seconds: Int64) {
    let days = Int(seconds.dividedDown(by: 86400))
    let rest = Int(seconds) - days * 86400
    let shifted = days + 719_468
    let era = shifted.dividedDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3600
    minute = rest / 60 % 60
    second = rest % 60
  }

  /// Days since 1970-01-01.
  var days: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.dividedDown(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  var seconds: Int64 { Int64(days * 86400 + hour * 3600 + minute * 60 + second) }

  /// From 0 for Sunday. 1970-01-01 was a Thursday.
  var weekday: Int { (days + 4) - (days + 4).dividedDown(by: 7) * 7 }

  var isValid: Bool {
    month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth && hour < 24 && minute < 60
      && second <= 60
  }

  private var daysInMonth: Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

extension BinaryInteger {
  /// The quotient rounded towards minus infinity.
  fileprivate func dividedDown(by divisor: Self) -> Self {
    let quotient = self / divisor
    return quotient * divisor > self ? quotient - 1 : quotient
  }
}
