internal import Bytes

/// Reads the three date forms of RFC 9110 section 5.6.7 and the date form of RFC 3339 section 5.6.
/// If the text does not follow the grammar of the form, the result is nil, and `index` is
/// meaningless.
struct DateReader {
  private(set) var index: Int
  private let end: Int

  init(index: Int, end: Int) {
    self.index = index
    self.end = end
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  mutating func readFixdate(_ bytes: Span<UInt8>) -> Int64? {
    guard let weekday = readName(bytes, of: HTTPDate.dayNames), skip(bytes, ", "),
      let day = readNumber(bytes, digits: 2), skip(bytes, " "),
      let month = readName(bytes, of: HTTPDate.monthNames), skip(bytes, " "),
      let year = readNumber(bytes, digits: 4), skip(bytes, " ")
    else { return nil }
    var moment = CivilTime(year: year, month: month + 1, day: day)
    guard readTime(bytes, into: &moment), skip(bytes, " GMT"), moment.isValid,
      moment.weekday == weekday
    else { return nil }
    return moment.seconds
  }

  /// `Sun Nov  6 08:49:37 1994`
  mutating func readAsctime(_ bytes: Span<UInt8>) -> Int64? {
    guard let weekday = readName(bytes, of: HTTPDate.dayNames), skip(bytes, " "),
      let month = readName(bytes, of: HTTPDate.monthNames), skip(bytes, " ")
    else { return nil }
    let isOneDigit = skip(bytes, " ")
    guard let day = readNumber(bytes, digits: isOneDigit ? 1 : 2), skip(bytes, " ") else {
      return nil
    }
    var moment = CivilTime(year: 0, month: month + 1, day: day)
    guard readTime(bytes, into: &moment), skip(bytes, " "),
      let year = readNumber(bytes, digits: 4)
    else { return nil }
    moment.year = year
    guard moment.isValid, moment.weekday == weekday else { return nil }
    return moment.seconds
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`
  mutating func readRFC850(_ bytes: Span<UInt8>, now: Int64) -> Int64? {
    guard readLongWeekday(bytes), skip(bytes, ", "),
      let day = readNumber(bytes, digits: 2), skip(bytes, "-"),
      let month = readName(bytes, of: HTTPDate.monthNames), skip(bytes, "-"),
      let year = readNumber(bytes, digits: 2), skip(bytes, " ")
    else { return nil }
    let present = CivilTime(min(max(now, HTTPDate.range.lowerBound), HTTPDate.range.upperBound))
    var moment = CivilTime(
      year: present.year - present.year % 100 + year, month: month + 1, day: day)
    guard readTime(bytes, into: &moment), skip(bytes, " GMT") else { return nil }
    // A two-digit year means the latest possible year with these digits that is at most 50 years in
    // the future.
    if moment.year + 50 < present.year { moment.year += 100 }
    var horizon = present
    horizon.year += 50
    if moment.seconds > horizon.seconds { moment.year -= 100 }
    return moment.isValid ? moment.seconds : nil
  }

  /// `1994-11-06T09:49:37.250+01:00`
  mutating func readInternetDate(_ bytes: Span<UInt8>) -> Int64? {
    guard let year = readNumber(bytes, digits: 4), skip(bytes, "-"),
      let month = readNumber(bytes, digits: 2), skip(bytes, "-"),
      let day = readNumber(bytes, digits: 2), skip(bytes, "T")
    else { return nil }
    var moment = CivilTime(year: year, month: month, day: day)
    guard readTime(bytes, into: &moment), moment.isValid else { return nil }
    if skip(bytes, ".") { while readNumber(bytes, digits: 1) != nil {} }
    if skip(bytes, "Z") { return moment.seconds }
    let isAhead = skip(bytes, "+")
    guard isAhead || skip(bytes, "-"), let hours = readNumber(bytes, digits: 2), skip(bytes, ":"),
      let minutes = readNumber(bytes, digits: 2)
    else { return nil }
    let offset = Int64(hours * 3600 + minutes * 60)
    return moment.seconds + (isAhead ? -offset : offset)
  }

  private static let longWeekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// hour ":" minute ":" second
  private mutating func readTime(_ bytes: Span<UInt8>, into moment: inout CivilTime) -> Bool {
    guard let hour = readNumber(bytes, digits: 2), skip(bytes, ":"),
      let minute = readNumber(bytes, digits: 2), skip(bytes, ":"),
      let second = readNumber(bytes, digits: 2)
    else { return false }
    moment.hour = hour
    moment.minute = minute
    moment.second = second
    return true
  }

  private mutating func readNumber(_ bytes: Span<UInt8>, digits: Int) -> Int? {
    guard end - index >= digits else { return nil }
    var number = 0
    for _ in 0..<digits {
      guard bytes[index].isDigit else { return nil }
      number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
      index += 1
    }
    return number
  }

  /// Reads three letters, which must be one of the three-letter `names`. Returns the position of
  /// this name in the list, from 0; nil if the letters are not in the list.
  private mutating func readName(_ bytes: Span<UInt8>, of names: [UInt8]) -> Int? {
    guard end - index >= 3 else { return nil }
    var candidate = 0
    var offset = 0
    var matches = true
    for letter in names {
      matches = matches && bytes[index + offset] == letter
      offset += 1
      if offset == 3 {
        if matches {
          index += 3
          return candidate
        }
        candidate += 1
        offset = 0
        matches = true
      }
    }
    return nil
  }

  private mutating func readLongWeekday(_ bytes: Span<UInt8>) -> Bool {
    for name in Self.longWeekdays where skip(bytes, name) { return true }
    return false
  }

  /// Skips `text` and returns true, if the next bytes are `text`. Otherwise returns false.
  private mutating func skip(_ bytes: Span<UInt8>, _ text: String) -> Bool {
    guard end - index >= text.utf8.count else { return false }
    var position = index
    for letter in text.utf8 {
      guard bytes[position] == letter else { return false }
      position += 1
    }
    index = position
    return true
  }
}
