/// The limits for requests. A request that exceeds a limit is refused.
///
/// Each limit is the largest accepted number of bytes or lines.
package struct RequestLimits: Sendable, Equatable {
  /// The maximum length of a method. The longest registered method has 17 letters
  /// (UPDATEREDIRECTREF). The server answers any unknown method with a 501, whatever its length
  /// (RFC 9112 section 3). The limit only restricts how many bytes the server reads.
  var methodBytes = 32

  /// The maximum length of a request target (RFC 9112 section 3 recommends at least 8,000). A
  /// longer target gets a 414.
  package var targetBytes = 8192

  /// The maximum length of a head, from its first byte to its empty line. A longer head gets a 431.
  /// Browsers with many cookies send fields of up to 8 KiB; the limit is twice this size.
  package var headBytes = 16384

  /// The maximum number of field lines in a head. A head with more lines gets a 431. Browsers
  /// behind two proxies send about 40 lines. There is also a second limit: at most 64 lines of a
  /// head may have a field name that this server knows.
  package var fieldLines = 100

  /// The maximum size of a request's content in bytes. Larger content gets a 413. No page needs the
  /// content. But if the server reads and drops small content, the client can use the connection
  /// again.
  package var bodyBytes = 65536

  /// The maximum length of a chunk-size line with its extensions, without CRLF. A longer line gets
  /// a 400. A size has at most 16 digits, and extensions occur only in attacks.
  package var chunkLineBytes = 256

  /// The maximum number of chunks in one body. A body with more chunks gets a 413. This limit is
  /// needed because `bodyBytes` does not include the bytes of the framing. A chunk with one byte of
  /// data takes six bytes, and with extensions far more.
  package var chunks = 4096

  /// The maximum length of a trailer section without its empty line. A longer section gets a 431.
  /// Trailers are dropped.
  package var trailerBytes = 4096

  package init() {}
}
