internal import Diagnostics
internal import HTTP
internal import Posix

/// Returns a warning if `security.txt` has expired and should no longer be used (RFC 9116 section
/// 2.5.5); otherwise nil.
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
      let end = InternetDate.seconds(String(words[1])), end < now
    else { continue }
    return Diagnostic(
      .securityTxtExpired, "security.txt has expired", at: source.location(of: range))
  }
  return nil
}
