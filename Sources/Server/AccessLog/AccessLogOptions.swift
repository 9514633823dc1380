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
  /// The maximum bytes that wait to be written for one loop, about 10,000 lines. Further lines are
  /// dropped and counted.
  static let waitingBytes = 2 * 1024 * 1024
  /// The maximum bytes that a loop keeps while the writer locks its queue.
  static let keptBytes = 256 * 1024
  /// Milliseconds for which the writer pauses between two rounds, so that lines accumulate.
  static let nap: Int32 = 5
  /// Milliseconds until a loop offers its lines to the writer again.
  static let retry: Int64 = 2
  /// The time limit for writing the waiting lines when the server ends, in milliseconds.
  static let closing: Int64 = 2_000
  /// Milliseconds between two messages about lost lines.
  static let reportPause: Int64 = 10_000
}
