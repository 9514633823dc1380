internal import Bytes
internal import JSON

/// When a CA wants a certificate to be renewed (RFC 9773). It belongs to one certificate: to apply it to
/// the next one would ask for certificate after certificate.
package struct RenewalWindow: Sendable, Equatable {
  /// Seconds since 1970.
  package let start: Int64
  package let end: Int64
  /// Of the certificate.
  package let serial: String

  /// Nil when it ends before it begins.
  package init?(start: Int64, end: Int64, serial: String) {
    guard end > start else { return nil }
    self.start = start
    self.end = end
    self.serial = serial
  }

  /// RFC 9773 section 4.2; nil when the value is none.
  init?(_ value: Value, serial: String) {
    guard let window = value.member("suggestedWindow"),
      let start = window.member("start")?.string.flatMap(seconds),
      let end = window.member("end")?.string.flatMap(seconds)
    else { return nil }
    self.init(start: start, end: end, serial: serial)
  }

  /// The moment within it at which this certificate is renewed: the same after each restart, and
  /// another one for each certificate.
  package var moment: Int64 {
    start + Int64(stableHash(serial) % UInt64(end - start))
  }
}

/// A time as RFC 3339 writes it, in seconds since 1970; nil when the text is none.
package func seconds(_ text: String) -> Int64? {
  func has(_ bytes: some Collection<UInt8>, shape: String) -> Bool {
    bytes.count == shape.utf8.count
      && zip(bytes, shape.utf8).allSatisfy { $1 == 0x30 ? $0.isDigit : $0 == $1 }
  }
  let bytes = Array(text.utf8)
  guard has(bytes.prefix(19), shape: "0000-00-00T00:00:00") else { return nil }
  let numbers = text.split { !$0.isNumber }.prefix(6).compactMap { Int($0) }
  var time = CivilTime(year: numbers[0], month: numbers[1], day: numbers[2])
  (time.hour, time.minute, time.second) = (numbers[3], numbers[4], numbers[5])
  guard time.isValid else { return nil }
  var zone = bytes.dropFirst(19)
  if zone.first == UInt8(ascii: ".") { zone = zone.dropFirst().drop(while: \.isDigit) }
  if has(zone, shape: "Z") { return time.seconds }
  let isAhead = has(zone, shape: "+00:00")
  guard isAhead || has(zone, shape: "-00:00") else { return nil }
  let offset = zone.filter(\.isDigit).reduce(into: 0 as Int64) { $0 = $0 * 10 + Int64($1 & 15) }
  return time.seconds + (offset / 100 * 60 + offset % 100) * (isAhead ? -60 : 60)
}
