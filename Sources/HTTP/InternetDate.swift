internal import Bytes

/// Dates in the form for logs and JSON (RFC 3339): `1994-11-06T08:49:37.250Z`.
package enum InternetDate {
  /// Returns a time in UTC, always 24 bytes. A time outside the years 0000 to 9999 becomes the
  /// nearest one within.
  ///
  /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z.
  package static func text(milliseconds: Int64) -> String {
    let range = (HTTPDate.range.lowerBound * 1000)...(HTTPDate.range.upperBound * 1000 + 999)
    let bounded = min(max(milliseconds, range.lowerBound), range.upperBound)
    var rest = Int(bounded % 1000)
    if rest < 0 { rest += 1000 }
    let moment = CivilTime((bounded - Int64(rest)) / 1000)
    return "\(moment.date)T\(moment.time).\(decimal(rest, digits: 3))Z"
  }

  /// Parses a time, which may have fractions of a second and an offset (section 5.6). Returns
  /// seconds since 1970, or nil if the text is not a time.
  package static func seconds(_ text: String) -> Int64? {
    let bytes = Array(text.uppercased().utf8)
    func has(_ bytes: some Collection<UInt8>, shape: String) -> Bool {
      bytes.count == shape.utf8.count
        && zip(bytes, shape.utf8).allSatisfy { $1 == 0x30 ? $0.isDigit : $0 == $1 }
    }
    guard has(bytes.prefix(19), shape: "0000-00-00T00:00:00") else { return nil }
    func number(_ start: Int, _ count: Int) -> Int {
      bytes[start..<start + count].reduce(0) { $0 * 10 + Int($1 & 15) }
    }
    var time = CivilTime(year: number(0, 4), month: number(5, 2), day: number(8, 2))
    (time.hour, time.minute, time.second) = (number(11, 2), number(14, 2), number(17, 2))
    guard time.isValid else { return nil }
    var zone = bytes.dropFirst(19)
    if zone.first == UInt8(ascii: ".") { zone = zone.dropFirst().drop(while: \.isDigit) }
    var offset = 0
    if !has(zone, shape: "Z") {
      let isAhead = has(zone, shape: "+00:00")
      guard isAhead || has(zone, shape: "-00:00") else { return nil }
      offset = number(zone.startIndex + 1, 2) * 3600 + number(zone.startIndex + 4, 2) * 60
      if isAhead { offset = -offset }
    }
    return time.seconds + Int64(offset)
  }
}
