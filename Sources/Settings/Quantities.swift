// Parsing and formatting of durations, sizes and counts as people write them.

/// Parses a duration such as `10s`, `500ms`, `2m` or `1h`, or a bare number of seconds. Returns
/// milliseconds.
func parseDuration(
  _ text: String, in range: ClosedRange<Int>, wholeSeconds: Bool
) throws(Fault) -> Int {
  let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("", 1000)]
  guard let value = parseQuantity(text, units) else {
    throw Fault(.badDuration, "`\(text)` is not a duration")
  }
  try check(value, text, in: range, "a duration", durationText)
  if wholeSeconds, !value.isMultiple(of: 1000) {
    throw Fault(.badDuration, "`\(text)` is not a whole number of seconds", help: "write `10s`")
  }
  return value
}

/// Parses a duration for a command's option. Returns milliseconds; nil if the text is not a
/// duration, or is out of range.
package func milliseconds(ofDuration text: String, in range: ClosedRange<Int>) -> Int? {
  try? parseDuration(text, in: range, wholeSeconds: false)
}

/// Parses a size such as `16384`, `64KiB` or `1MiB`. Returns bytes.
func parseSize(_ text: String, in range: ClosedRange<Int>) throws(Fault) -> Int {
  guard let value = parseQuantity(text, [("kib", 1024), ("mib", 1_048_576), ("b", 1), ("", 1)])
  else {
    throw Fault(.badSize, "`\(text)` is not a size")
  }
  try check(value, text, in: range, "a size", sizeText)
  return value
}

func parseCount(_ text: String, in range: ClosedRange<Int>) throws(Fault) -> Int {
  guard let value = parseQuantity(text, [("", 1)]) else {
    throw Fault(
      .badNumber, "`\(text)` is not a whole number",
      help: "write a number from \(range.lowerBound) to \(range.upperBound)")
  }
  try check(value, text, in: range, "a number", \.description)
  return value
}

private func check(
  _ value: Int, _ text: String, in range: ClosedRange<Int>, _ what: String,
  _ words: (Int) -> String
) throws(Fault) {
  if range.contains(value) { return }
  throw Fault(
    .outOfRange, "`\(text)` is out of range",
    help: "write \(what) from \(words(range.lowerBound)) to \(words(range.upperBound))")
}

/// Parses a number in ASCII digits, followed by one of `units` in upper or lower case. Returns nil
/// for any other text.
private func parseQuantity(_ text: String, _ units: [(name: String, factor: Int)]) -> Int? {
  let digits = text.prefix { $0 >= "0" && $0 <= "9" && $0.isASCII }
  let name = text[digits.endIndex...].drop { $0 == " " }.lowercased()
  guard !digits.isEmpty, let unit = units.first(where: { $0.name == name }) else { return nil }
  // A number that is too large for Int exceeds every permitted range.
  guard let number = Int(digits) else { return .max }
  let (value, overflow) = number.multipliedReportingOverflow(by: unit.factor)
  return overflow ? .max : value
}

/// Formats the duration as a whole number of the largest suitable unit.
func durationText(_ milliseconds: Int) -> String {
  // `60s` and `90s` read better than `1m` and `90000ms`. From ten minutes on, minutes read better.
  if !milliseconds.isMultiple(of: 1000) { return "\(milliseconds)ms" }
  if milliseconds.isMultiple(of: 3_600_000), milliseconds > 0 {
    return "\(milliseconds / 3_600_000)h"
  }
  if milliseconds.isMultiple(of: 60_000), milliseconds >= 600_000 {
    return "\(milliseconds / 60_000)m"
  }
  return "\(milliseconds / 1000)s"
}

func sizeText(_ bytes: Int) -> String {
  if bytes > 0, bytes.isMultiple(of: 1_048_576) { return "\(bytes / 1_048_576)MiB" }
  if bytes > 0, bytes.isMultiple(of: 1024) { return "\(bytes / 1024)KiB" }
  return String(bytes)
}
