internal import Bytes

/// Dates in the form for logs and JSON (RFC 3339): `1994-11-06T08:49:37.250Z`.
package enum InternetDate {
  /// Returns a time as text in UTC, always 24 bytes long. A time outside the years 0000 to 9999 is
  /// clamped to these years.
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
    var reader = DateReader(index: 0, end: bytes.count)
    let seconds = reader.readInternetDate(bytes.span)
    return reader.index == bytes.count ? seconds : nil
  }
}
