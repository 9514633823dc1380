internal import HTTP

/// What the admin listener takes, and how long it waits. It serves probes, a scraper or two and
/// people: a handful at once.
enum AdminLimits {
  /// Connections at one time; for one more, the one that has been quiet longest goes.
  static let connections = 32
  /// Milliseconds for a head, from its first byte.
  static let head: Int64 = 5_000
  /// Milliseconds for the next request: longer than scrapers usually pause.
  static let idle: Int64 = 75_000
  /// Milliseconds for an answer to be taken.
  static let write: Int64 = 10_000
  /// Milliseconds for a client to close after its connection has ended.
  static let linger: Int64 = 1_000
  /// Milliseconds without accepting when there are no descriptors left.
  static let pause: Int64 = 500

  /// Heads are those of probes and scrapers; targets name some domains.
  static var request: RequestLimits {
    var limits = RequestLimits()
    limits.headBytes = 16_384
    limits.targetBytes = 8_192
    limits.fieldLines = 64
    return limits
  }
}
