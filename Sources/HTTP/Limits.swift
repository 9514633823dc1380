/// The limits of a request beyond which it is refused: all limits of this module.
///
/// Each is a whole number of bytes or lines, and the largest accepted value.
package struct RequestLimits: Sendable, Equatable {
  /// The longest method. No registered method has more than 17 letters (UPDATEREDIRECTREF). A
  /// longer one than we know is answered with 501 (RFC 9112 section 3), and this limits the wait.
  package var methodBytes = 32

  /// The longest request target, otherwise 414 (RFC 9112 section 3 recommends at least 8,000).
  package var targetBytes = 8192

  /// The longest head, from its first byte to its empty line, otherwise 431. Browsers with full
  /// cookie jars send up to 8 KiB of fields; twice that leaves room.
  package var headBytes = 16384

  /// The most field lines in a head, otherwise 431. Browsers behind two proxies send about 40.
  /// Whatever the setting, at most 64 of them may have names that mean something here.
  package var fieldLines = 100

  /// The most bytes of a request's content that are read and dropped, otherwise 413. Nothing here
  /// takes content; dropping a little keeps the connection usable.
  package var bodyBytes = 65536

  /// The longest chunk-size line with its extensions, without CRLF, otherwise 400. A size has at
  /// most 16 digits; extensions are unknown in practice and only a means of attack.
  package var chunkLineBytes = 256

  /// The most chunks in one body, otherwise 413: limits the framing that `bodyBytes` does not count
  /// (one-byte chunks cost six bytes each, with extensions far more).
  package var chunks = 4096

  /// The longest trailer section without its empty line, otherwise 431. Trailers are dropped.
  package var trailerBytes = 4096

  package init() {}
}
