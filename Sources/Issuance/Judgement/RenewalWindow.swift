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
    // FNV-1a, because Swift's own hash differs from run to run.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in serial.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return start + Int64(hash % UInt64(end - start))
  }
}

/// A time as RFC 3339 writes it, in seconds since 1970; nil when the text is none.
package func seconds(_ text: String) -> Int64? {
  let bytes = Array(text.utf8)
  func number(_ range: Range<Int>) -> Int? {
    guard range.upperBound <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[range] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }
  guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[13] == 0x3A,
    bytes[16] == 0x3A, let year = number(0..<4), let month = number(5..<7),
    let day = number(8..<10), let hour = number(11..<13), let minute = number(14..<16),
    let second = number(17..<19)
  else { return nil }
  var time = CivilTime(year: year, month: month, day: day)
  (time.hour, time.minute, time.second) = (hour, minute, second)
  guard time.isValid else { return nil }
  var rest = bytes[19...]
  if rest.first == UInt8(ascii: ".") {
    rest = rest.dropFirst().drop { (0x30...0x39).contains($0) }
  }
  var offset = 0
  switch rest.first {
  case UInt8(ascii: "Z"), UInt8(ascii: "z"): guard rest.count == 1 else { return nil }
  case UInt8(ascii: "+"), UInt8(ascii: "-"):
    let start = rest.startIndex
    guard rest.count == 6, let hours = number(start + 1..<start + 3),
      let minutes = number(start + 4..<start + 6)
    else { return nil }
    offset = (hours * 60 + minutes) * (rest.first == UInt8(ascii: "+") ? 60 : -60)
  default: return nil
  }
  return time.seconds - Int64(offset)
}
