internal import Bytes
internal import Diagnostics
internal import Posix

/// Warns of a `security.txt` that has expired, so that nobody should use it any more (RFC 9116
/// section 2.5.5).
///
/// - Parameter now: Seconds since 1970.
func expiryWarning(ofSecurityText source: SourceText, now: Int64 = Clock.wallSeconds())
  -> Diagnostic?
{
  var start = 0
  for line in source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
    let range = start..<(start + line.count)
    start = range.upperBound + 1
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, words[0].lowercased() == "expires:",
      let end = seconds(ofInternetDate: String(words[1])), end < now
    else { continue }
    return Diagnostic(
      .securityTxtExpired, "security.txt has expired", at: source.location(of: range),
      help: "check that it is still right, and set Expires to a time within a year")
  }
  return nil
}

/// Parses `2027-01-31T12:00:00Z`, also with parts of a second or an offset (RFC 3339 section 5.6).
private func seconds(ofInternetDate text: String) -> Int64? {
  let bytes = Array(text.uppercased().utf8)
  func number(_ range: Range<Int>) -> Int? {
    guard range.upperBound <= bytes.count, bytes[range].allSatisfy(\.isDigit) else { return nil }
    return Int(String(decoding: bytes[range], as: UTF8.self))
  }
  guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"), let year = number(0..<4),
    let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
    let minute = number(14..<16), let second = number(17..<19)
  else { return nil }
  var time = CivilTime(year: year, month: month, day: day)
  (time.hour, time.minute, time.second) = (hour, minute, second)
  guard time.isValid else { return nil }
  if bytes.last == UInt8(ascii: "Z") { return time.seconds }
  let offset = bytes.count - 6
  guard offset >= 19, let hours = number(offset + 1..<offset + 3),
    let minutes = number(offset + 4..<offset + 6)
  else { return nil }
  let shift = Int64(hours * 3600 + minutes * 60)
  switch bytes[offset] {
  case UInt8(ascii: "+"): return time.seconds - shift
  case UInt8(ascii: "-"): return time.seconds + shift
  default: return nil
  }
}
