package import HTTP

/// What a listener of pages takes, and how long it waits: every bound of it, in one place.
package struct PageLimits: Sendable {
  /// Connections at one time, each with a thread. For one more, the one goes that has been idle
  /// longest; while all of them are making answers, the new one waits.
  package var connections = 64
  /// Milliseconds for a request, from its first byte to the last one of its content.
  package var request: Int64 = 5_000
  /// Milliseconds for the next request: longer than scrapers usually pause.
  package var idle: Int64 = 75_000
  /// Milliseconds for an answer to be taken, or for a part of one that never ends.
  package var write: Int64 = 10_000
  /// Milliseconds for a client to close after its connection has ended.
  package var linger: Int64 = 1_000
  /// Milliseconds without accepting when there is no descriptor or thread to be had.
  package var pause: Int64 = 500
  /// Milliseconds for answers that are being made when the listener stops.
  package var ending: Int64 = 2_000
  /// Bytes that wait for a reader of a stream beside what it is being sent; for one more it is gone.
  package var streamBytes = 1_048_576
  /// Milliseconds of silence on a stream, after which a comment shows that it lives.
  package var heartbeat: Int64 = 15_000
  /// Heads are those of probes and scrapers; targets name some domains.
  package var head = RequestLimits()

  /// Probes, a scraper or two and people: a handful at once. No content is taken.
  package static var admin: PageLimits {
    var limits = PageLimits()
    limits.head.headBytes = 16_384
    limits.head.targetBytes = 8_192
    limits.head.fieldLines = 64
    limits.head.bodyBytes = 0
    return limits
  }

  /// What a tunnel brings from outside to a developer's machine: some phones, some robots.
  package static var developmentSite: PageLimits { admin }

  /// A developer's browser, which sends a URL now and then.
  package static var inspector: PageLimits {
    var limits = PageLimits()
    limits.head.headBytes = 32_768
    limits.head.targetBytes = 16_384
    limits.head.fieldLines = 64
    limits.head.bodyBytes = 16_384
    // A state of `aasa dev` has its whole file in it, of which JSON makes six times as much at worst.
    limits.streamBytes = 4_194_304
    // An answer of the CDN may be waited for, which whoever presses Ctrl-C does not want.
    limits.ending = 200
    return limits
  }
}
