internal import Bytes
internal import HTTP
internal import JSON

/// The time span in which a CA wants a certificate to be renewed (RFC 9773). A window belongs to
/// one certificate, because applying it to the next certificate would cause endless renewals.
package struct RenewalWindow: Sendable, Equatable {
  /// The beginning and the end of the window, in seconds since 1970.
  package let start: Int64
  package let end: Int64
  /// The serial number of the certificate to which the window belongs.
  package let serial: String

  /// Nil if the window ends before it begins.
  package init?(start: Int64, end: Int64, serial: String) {
    guard end > start else { return nil }
    (self.start, self.end, self.serial) = (start, end, serial)
  }

  /// Reads renewal information (RFC 9773 section 4.2); nil if the value is invalid.
  init?(_ value: Value, serial: String) {
    guard let window = value.member("suggestedWindow"),
      let start = window.text("start").flatMap(InternetDate.seconds),
      let end = window.text("end").flatMap(InternetDate.seconds),
      CivilTime.seconds.contains(start), CivilTime.seconds.contains(end)
    else { return nil }
    self.init(start: start, end: end, serial: serial)
  }

  /// The time in the window at which this certificate is renewed. The time differs between
  /// certificates, but is the same after a restart.
  package var moment: Int64 { start + Int64(stableHash(serial) % UInt64(end - start)) }
}
