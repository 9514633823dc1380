package import HTTP

/// All limits of a page listener.
package struct PageLimits: Sendable {
  /// The maximum number of connections at one time, each with a thread. If there are more, the
  /// longest idle one is closed; if all are making answers, the new connection waits.
  package var connections = 64
  /// Milliseconds for a request, from its first byte to the last byte of its content.
  package var request: Int64 = 5_000
  /// Milliseconds until the next request; longer than the usual interval of scrapers.
  var idle: Int64 = 75_000
  /// Milliseconds for the client to take an answer, or a part of a stream.
  package var write: Int64 = 10_000
  /// Bytes that the kernel buffers for a client that does not read. Without a limit it buffers
  /// several megabytes, and a client that sends many requests at once causes hundreds of answers
  /// that nobody reads, which delays all other clients.
  var sendBuffer = 65_536
  /// Milliseconds for a client to close after our side has ended.
  var linger: Int64 = 1_000
  /// Milliseconds without accepting after the system runs out of descriptors or threads.
  package var pause: Int64 = 500
  /// Milliseconds to finish answers in progress when the listener stops.
  package var ending: Int64 = 2_000
  /// Bytes that may wait for a stream's reader. A reader with more is dropped.
  package var streamBytes = 1_048_576
  /// Milliseconds of silence on a stream after which a comment shows that it is alive.
  package var heartbeat: Int64 = 15_000
  /// The limits of request heads. Probes and scrapers send short heads, with a few domains in the
  /// target.
  package var head = RequestLimits()

  /// Whether paths with unencoded bytes are accepted, as browsers send them.
  var acceptsBrowserPaths = false

  /// For the admin listener, which has a handful of clients at once: probes, scrapers and people.
  package static var admin: PageLimits { small }

  /// For listeners whose requests have no content.
  private static var small: PageLimits {
    var limits = PageLimits()
    limits.head.headBytes = 16_384
    limits.head.targetBytes = 8_192
    limits.head.fieldLines = 64
    limits.head.bodyBytes = 0
    return limits
  }

  /// For requests from a few phones and robots, which a tunnel forwards to a developer's machine.
  package static var developmentSite: PageLimits {
    var limits = small
    limits.acceptsBrowserPaths = true
    return limits
  }

  /// For a developer's browser, which sends a URL from time to time.
  package static var inspector: PageLimits {
    var limits = PageLimits()
    limits.head.headBytes = 32_768
    limits.head.targetBytes = 16_384
    limits.head.fieldLines = 64
    limits.head.bodyBytes = 16_384
    // A state of `aasa dev` contains the whole file, up to six times its size in JSON.
    limits.streamBytes = 4_194_304
    // An answer may wait for the CDN, but Ctrl-C must not.
    limits.ending = 200
    return limits
  }
}
