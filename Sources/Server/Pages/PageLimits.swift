package import HTTP

/// All limits of a page listener.
package struct PageLimits: Sendable {
  /// The maximum number of connections. Each connection has a thread. If more clients connect, the
  /// listener closes the connection that `PageConnections.makeRoom` chooses. If all connections are
  /// making responses, the new connection waits.
  package var connections = 64
  /// The time limit for a request in milliseconds, from its first byte to the last byte of its
  /// content.
  package var request: Int64 = 5_000
  /// The time limit for a connection without a request, in milliseconds. This limit is longer than
  /// the usual interval between two requests of a scraper.
  var idle: Int64 = 75_000
  /// The time limit in milliseconds for the client to accept one response, or one part of a stream.
  package var write: Int64 = 10_000
  /// The maximum bytes that the kernel buffers for a client that does not read. The kernel's
  /// default is several megabytes. With this default, a client that never reads could make the
  /// server produce hundreds of responses, and so delay all other clients.
  var sendBuffer = 65_536
  /// The time limit in milliseconds for a client to close its side after the server has closed its
  /// own.
  var linger: Int64 = 1_000
  /// If the system has no descriptor or thread for a new connection, the listener accepts no
  /// connections for this number of milliseconds.
  package var pause: Int64 = 500
  /// The time limit in milliseconds, after the listener stops, for responses that are in progress.
  package var ending: Int64 = 2_000
  /// The maximum bytes that a stream stores until its client accepts them. If more bytes wait, the
  /// stream ends and its connection is closed.
  package var streamBytes = 1_048_576
  /// The time in milliseconds without new bytes after which a stream sends a comment, to show that
  /// it is alive.
  package var heartbeat: Int64 = 15_000
  /// The limits on the heads of requests. Probes and scrapers send short heads: their targets
  /// contain at most a few domains.
  package var head = RequestLimits()

  /// Whether a path may contain bytes that browsers send unencoded.
  var acceptsBrowserPaths = false

  /// Limits for the admin listener, which has few clients at a time: probes, scrapers and browsers.
  package static var admin: PageLimits { small }

  /// Limits for listeners whose requests have no content.
  private static var small: PageLimits {
    var limits = PageLimits()
    limits.head.headBytes = 16_384
    limits.head.targetBytes = 8_192
    limits.head.fieldLines = 64
    limits.head.bodyBytes = 0
    return limits
  }

  /// Limits for the listener of `aasa dev` that serves the site. A tunnel forwards the requests of
  /// a few phones and crawlers to this listener.
  package static var developmentSite: PageLimits {
    var limits = small
    limits.acceptsBrowserPaths = true
    return limits
  }

  /// Limits for the inspector of `aasa dev`, which only the developer's browser uses.
  package static var inspector: PageLimits {
    var limits = PageLimits()
    limits.head.headBytes = 32_768
    limits.head.targetBytes = 16_384
    limits.head.fieldLines = 64
    limits.head.bodyBytes = 16_384
    // Each state that `aasa dev` sends to the inspector contains the whole file. As a JSON string,
    // the file may be six times as long.
    limits.streamBytes = 4_194_304
    // Keep this time limit short: after Ctrl-C, the program must not wait for a response that
    // itself waits for Apple's CDN.
    limits.ending = 200
    return limits
  }
}
