/// How the access log is written.
package struct AccessLogOptions: Sendable {
  package enum Target: Sendable, Equatable {
    case standardOutput
    case file(String)
  }

  package enum Format: Sendable {
    /// An object on each line.
    case json
    /// For people.
    case text
  }

  /// How much of a client's address is written.
  package enum Addresses: Sendable {
    case full
    /// The first 24 bits of an IPv4 address, the first 48 of an IPv6 one: a network and no person.
    case truncated
    case none
  }

  package var target = Target.standardOutput
  package var format = Format.json
  package var addresses = Addresses.truncated

  package init() {}
}

/// The limits of the access log.
enum AccessLogLimits {
  /// Bytes of one loop that wait to be written: about ten thousand lines. What does not fit is
  /// dropped, and counted.
  static let waitingBytes = 2 * 1024 * 1024
  /// Bytes that a loop keeps when the writer has its hands on what waits.
  static let keptBytes = 256 * 1024
  /// Milliseconds between two looks of the writer at what waits: lines come together meanwhile.
  static let nap: Int32 = 5
  /// Milliseconds for a loop to try again to hand its lines over.
  static let retry: Int64 = 2
  /// Milliseconds for what waits to be written when the server ends.
  static let closing: Int64 = 2_000
  /// Milliseconds between two messages about lost lines.
  static let telling: Int64 = 10_000
}
