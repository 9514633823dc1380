internal import Bytes

/// Dates in the format of logs (RFC 3339): `1994-11-06T08:49:37.250Z`.
package enum InternetDate {
  /// Appends a time in UTC, always 24 bytes. A time outside the years 0000 to 9999 becomes the
  /// nearest one within.
  ///
  /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z.
  package static func append(milliseconds: Int64, to output: inout [UInt8]) {
    let range = (HTTPDate.range.lowerBound * 1000)...(HTTPDate.range.upperBound * 1000 + 999)
    let bounded = min(max(milliseconds, range.lowerBound), range.upperBound)
    var rest = Int(bounded % 1000)
    if rest < 0 { rest += 1000 }
    let moment = CivilTime((bounded - Int64(rest)) / 1000)
    appendDigits(moment.year, 4, to: &output)
    output.append(UInt8(ascii: "-"))
    appendDigits(moment.month, 2, to: &output)
    output.append(UInt8(ascii: "-"))
    appendDigits(moment.day, 2, to: &output)
    output.append(UInt8(ascii: "T"))
    appendDigits(moment.hour, 2, to: &output)
    output.append(UInt8(ascii: ":"))
    appendDigits(moment.minute, 2, to: &output)
    output.append(UInt8(ascii: ":"))
    appendDigits(moment.second, 2, to: &output)
    output.append(UInt8(ascii: "."))
    appendDigits(rest, 3, to: &output)
    output.append(UInt8(ascii: "Z"))
  }

  private static func appendDigits(_ number: Int, _ count: Int, to output: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<count { divisor *= 10 }
    while divisor > 0 {
      output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
