/// How much of a request is taken before it is refused: every bound of this module, in one place.
///
/// Each is a whole number of bytes or lines; "limit" means the largest accepted value.
package struct RequestLimits: Sendable, Equatable {
  /// The longest method. No registered method has more than 17 letters (UPDATEREDIRECTREF);
  /// a longer one than we know is answered 501 (RFC 9112 section 3), and this bounds the wait.
  package var methodBytes = 32

  /// The longest request target, else 414 (RFC 9112 section 3 asks for at least 8,000).
  package var targetBytes = 8192

  /// The longest head, from its first byte to its empty line, else 431. Browsers with full
  /// cookie jars send up to 8 KiB of fields; twice that leaves room.
  package var headBytes = 16384

  /// The most field lines in a head, else 431. Browsers behind two proxies send about 40. At most
  /// 64 of them, whatever this is set to, may have names that mean something here.
  package var fieldLines = 100

  /// The most bytes of a request's content that are read to be dropped, else 413. Nothing that
  /// is served here takes content; dropping a little keeps the connection usable.
  package var bodyBytes = 65536

  /// The longest chunk-size line with its extensions, without CRLF, else 400. A size has at
  /// most 16 digits; extensions are unknown in practice and only a means of attack.
  package var chunkLineBytes = 256

  /// The most chunks in one body, else 413: bounds the framing that `bodyBytes` does not count
  /// (one-byte chunks cost six bytes each, with extensions far more).
  package var chunks = 4096

  /// The longest trailer section, its empty line not counted, else 431. Trailers are dropped.
  package var trailerBytes = 4096

  package init() {}
}
