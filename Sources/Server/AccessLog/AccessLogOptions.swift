package import Settings

/// The options of the access log.
package struct AccessLogOptions: Sendable {
  package enum Target: Sendable, Equatable {
    case standardOutput
    case file(String)
  }

  package var target = Target.standardOutput
  /// Whether each line is a JSON object rather than text for people.
  package var isJSON = true
  package var addresses = LogAddresses.truncated

  package init() {}
}

/// The limits of the access log.
enum AccessLogLimits {
  /// The bytes that may wait to be written for one loop, about 10,000 lines. Lines beyond that are
  /// dropped and counted.
  static let waitingBytes = 2 * 1024 * 1024
  /// The bytes that a loop keeps while the writer is taking its lines.
  static let keptBytes = 256 * 1024
  /// Milliseconds between two rounds of the writer, while lines gather.
  static let nap: Int32 = 5
  /// Milliseconds until a loop tries again to hand its lines over.
  static let retry: Int64 = 2
  /// Milliseconds for writing the waiting lines when the server ends.
  static let closing: Int64 = 2_000
  /// Milliseconds between two messages about lost lines.
  static let reportPause: Int64 = 10_000
}
