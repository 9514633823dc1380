internal import Bytes
internal import HTTP
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
      let start = window.member("start")?.string.flatMap(InternetDate.seconds),
      let end = window.member("end")?.string.flatMap(InternetDate.seconds),
      CivilTime.seconds.contains(start), CivilTime.seconds.contains(end)
    else { return nil }
    self.init(start: start, end: end, serial: serial)
  }

  /// The moment within it at which this certificate is renewed: the same after each restart, and
  /// another one for each certificate.
  package var moment: Int64 {
    start + Int64(stableHash(serial) % UInt64(end - start))
  }
}
