package import Settings

/// The options of the access log.
package struct AccessLogOptions: Sendable {
  package enum Target: Sendable, Equatable {
    case standardOutput
    case file(String)
  }

  package var target = Target.standardOutput
  /// Whether each line is a JSON object; otherwise it is plain text.
  package var isJSON = true
  package var addresses = LogAddresses.truncated

  package init() {}
}

/// The limits of the access log.
enum AccessLogLimits {
  /// The maximum bytes of one loop's lines that wait to be written, about 10,000 lines. If more
  /// lines arrive, they are dropped and counted.
  static let waitingBytes = 2 * 1024 * 1024
  /// The maximum size, in bytes, of the lines that a loop keeps because the writer is using the
  /// loop's queue. The loop passes these lines to the writer later.
  static let keptBytes = 256 * 1024
  /// The pause in milliseconds after the writer has written lines. Lines accumulate during this
  /// pause, so that the next write is larger.
  static let nap: Int32 = 5
  /// The delay in milliseconds before a loop tries again to pass its lines to the writer.
  static let retry: Int64 = 2
  /// The time limit in milliseconds for writing the remaining lines when the server stops.
  static let closing: Int64 = 2_000
  /// The minimum time in milliseconds between two log messages about lost lines.
  static let reportPause: Int64 = 10_000
}
