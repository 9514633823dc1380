import Bytes
import Testing

@Suite struct CivilTimeTests {
  /// Counted day by day, from one century into the next ones: with leap days and without.
  @Test func `every day has its date`() {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    // 1600-01-01, a Saturday.
    var days = -135_140
    for year in 1600...2401 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, length) in lengths.enumerated() {
        for day in 1...(month == 1 && isLeap ? 29 : length) {
          let time = CivilTime(Int64(days) * 86_400 + 86_399)
          let isRight =
            time.year == year && time.month == month + 1 && time.day == day && time.hour == 23
            && time.minute == 59 && time.second == 59 && time.days == days && time.isValid
            && time.weekday == (days + 135_140 + 6) % 7
          #expect(isRight, "\(year)-\(month + 1)-\(day): \(time)")
          days += 1
        }
      }
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01"), (-1, "1969-12-31"), (1_795_391_999, "2026-11-22"),
      (253_402_300_799, "9999-12-31"), (951_782_400, "2000-02-29"),
    ] as [(Int64, String)]) func `a date is written`(seconds: Int64, date: String)
  {
    #expect(CivilTime(seconds).date == date)
    #expect(CivilTime(seconds).seconds == seconds)
  }

  @Test(arguments: [
    (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31), (2026, 2, 29),
    (1900, 2, 29), (2000, 2, 30),
  ]) func `there is no such day`(year: Int, month: Int, day: Int) {
    #expect(!CivilTime(year: year, month: month, day: day).isValid)
  }

  @Test func `a minute has sixty seconds, and sometimes one more`() {
    var time = CivilTime(year: 2016, month: 12, day: 31)
    (time.hour, time.minute, time.second) = (23, 59, 60)
    #expect(time.isValid)
    time.second = 61
    #expect(!time.isValid)
    (time.minute, time.second) = (60, 0)
    #expect(!time.isValid)
    (time.hour, time.minute) = (24, 0)
    #expect(!time.isValid)
  }
}
