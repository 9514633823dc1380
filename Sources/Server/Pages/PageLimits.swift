package import HTTP

/// All limits of a page listener.
package struct PageLimits: Sendable {
  /// The maximum number of connections, each with a thread. If there are more, the connection that
  /// has been idle for longest is closed. If all are making responses, the new connection waits.
  package var connections = 64
  /// The time limit for a request in milliseconds, from its first byte to the last byte of its
  /// content.
  package var request: Int64 = 5_000
  /// The time limit until the next request in milliseconds. It is longer than the usual interval of
  /// scrapers.
  var idle: Int64 = 75_000
  /// The time limit in milliseconds for the client to accept a response, or a part of a stream.
  package var write: Int64 = 10_000
  /// The maximum bytes that the kernel buffers for a client that does not read. By default the
  /// kernel buffers several megabytes. A client could then cause hundreds of responses that it
  /// never reads, and delay all other clients.
  var sendBuffer = 65_536
  /// The time limit in milliseconds for a client to close after the server has closed its side.
  var linger: Int64 = 1_000
  /// Milliseconds for which accepting pauses after the system runs out of descriptors or threads.
  package var pause: Int64 = 500
  /// The time limit in milliseconds for responses in progress when the listener stops.
  package var ending: Int64 = 2_000
  /// The maximum bytes that wait for a stream's reader. If more bytes wait, the connection is
  /// closed.
  package var streamBytes = 1_048_576
  /// Milliseconds of silence on a stream before a comment is sent to show that the stream is alive.
  package var heartbeat: Int64 = 15_000
  /// The limits on request heads. Probes and scrapers send short heads, with at most a few domains
  /// in the target.
  package var head = RequestLimits()

  /// Whether to accept paths with unencoded bytes, as browsers send them.
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

  /// Limits for the public side of `aasa dev`. A tunnel forwards requests from a few phones and
  /// crawlers to it.
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
    // Each state that `aasa dev` sends contains the whole file. In JSON the file may take six times
    // as many bytes.
    limits.streamBytes = 4_194_304
    // Keep this short, because Ctrl-C must not wait for a response that waits for the CDN.
    limits.ending = 200
    return limits
  }
}
