/// A time in the proleptic Gregorian calendar, in UTC.
package struct CivilTime: Equatable, Sendable {
  package var year: Int
  /// The month, from 1.
  package var month: Int
  /// The day of the month, from 1.
  package var day: Int
  package var hour = 0
  package var minute = 0
  /// The second; 60 in a leap second.
  package var second = 0

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  // Days are counted in eras of 400 years that begin in March, so that the leap day is the last day
  // of a year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").

  /// The times that this program accepts as input, in seconds since 1970-01-01 00:00 UTC: from 1970
  /// to the end of the year 9999.
  package static let seconds: ClosedRange<Int64> = 0...253_402_300_799

  /// - Parameter seconds: The seconds since 1970-01-01 00:00. Times outside the years 0 to 9999 are
  ///   clamped.
  package init(_ seconds: Int64) {
    let seconds = min(max(seconds, -62_167_219_200), Self.seconds.upperBound)
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

  /// The days since 1970-01-01.
  package var days: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.dividedDown(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The seconds since 1970-01-01 00:00.
  package var seconds: Int64 { Int64(days * 86400 + hour * 3600 + minute * 60 + second) }

  /// The day of the week; Sunday is 0. 1970-01-01 was a Thursday.
  package var weekday: Int { (days + 4) - (days + 4).dividedDown(by: 7) * 7 }

  /// Whether the date and the time of day exist.
  package var isValid: Bool {
    month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth && hour < 24 && minute < 60
      && second <= 60
  }

  /// The date, such as `2027-01-31`.
  package var date: String {
    "\(decimal(year, digits: 4))-\(decimal(month, digits: 2))-\(decimal(day, digits: 2))"
  }

  /// The time of day, such as `13:02:07`.
  package var time: String {
    "\(decimal(hour, digits: 2)):\(decimal(minute, digits: 2)):\(decimal(second, digits: 2))"
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
