/// All limits of this module. A request beyond a limit is refused.
///
/// Each limit is the largest accepted number of bytes or lines.
package struct RequestLimits: Sendable, Equatable {
  /// The longest method. The longest registered method has 17 letters (UPDATEREDIRECTREF). A method
  /// longer than any known method gets a 501 (RFC 9112 section 3); this only limits how far we
  /// read.
  var methodBytes = 32

  /// The longest request target; beyond it 414 (RFC 9112 section 3 recommends at least 8,000).
  package var targetBytes = 8192

  /// The longest head, from its first byte to its empty line; beyond it 431. Browsers with many
  /// cookies send up to 8 KiB of fields; twice that leaves room.
  package var headBytes = 16384

  /// The maximum number of field lines in a head; beyond it 431. Browsers behind two proxies send
  /// about 40. Regardless of the setting, at most 64 of the lines may have names that this server
  /// knows.
  package var fieldLines = 100

  /// The maximum size of a request's content in bytes; beyond it 413. No page needs the content,
  /// but dropping a small one keeps the connection usable.
  package var bodyBytes = 65536

  /// The longest chunk-size line with its extensions, without CRLF; beyond it 400. A size has at
  /// most 16 digits, and extensions occur only in attacks.
  package var chunkLineBytes = 256

  /// The maximum number of chunks in one body; beyond it 413. Limits the framing that `bodyBytes`
  /// does not count: one-byte chunks cost six bytes each, and far more with extensions.
  package var chunks = 4096

  /// The longest trailer section without its empty line; beyond it 431. Trailers are dropped.
  package var trailerBytes = 4096

  package init() {}
}
