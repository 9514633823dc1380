/// Why a response cannot be used. Text from the response is in visible form (see `visibleText`).
package enum ResponseFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The connection ended before the first byte.
  case nothing
  /// The response does not begin with `HTTP/`.
  case notHTTP(start: String)
  /// A line begins with `HTTP/` but is not a status line of HTTP/1.
  case malformedStatusLine(String)
  /// The connection ended inside the head.
  case headTruncated(start: String)
  case headTooLarge(limit: Int)
  case tooManyFields(limit: Int)
  case tooManyInterimResponses(limit: Int)
  /// Content-Length is not a number, or has several different values (RFC 9112 section 6.3).
  case malformedContentLength(String)
  /// Transfer-Encoding is not `chunked` (RFC 9112 section 6.1).
  case unknownTransferCoding(String)
  /// The text found where a chunk should begin or end (RFC 9112 section 7.1).
  case malformedChunk(String)
  case tooManyChunks(limit: Int)
  /// The connection ended before the content was complete. `expected` is the length of the complete
  /// content; nil if this length is unknown.
  case bodyTruncated(received: Int, expected: Int?)
  case bodyTooLarge(limit: Int)

  /// One lower-case sentence without a full stop.
  package var description: String {
    switch self {
    case .nothing: "the server closed the connection without an answer"
    case .notHTTP(let start): "the answer is not HTTP: it begins with \"\(start)\""
    case .malformedStatusLine(let line): "the status line is malformed: \"\(line)\""
    case .headTruncated(let start):
      "the connection ended inside the head of the answer, which begins with \"\(start)\""
    case .headTooLarge(let limit): "the head of the answer has more than \(limit) bytes"
    case .tooManyFields(let limit): "the head of the answer has more than \(limit) fields"
    case .tooManyInterimResponses(let limit):
      "more than \(limit) interim answers (status 1xx) came, but no final answer"
    case .malformedContentLength(let value): "Content-Length is \"\(value)\", which is not a length"
    case .unknownTransferCoding(let value):
      "the answer is sent with Transfer-Encoding \"\(value)\", which was not requested"
    case .malformedChunk(let text):
      "the chunked content is broken: found \"\(text)\" where a chunk should begin or end"
    case .tooManyChunks(let limit): "the content comes in more than \(limit) chunks"
    case .bodyTruncated(let received, let expected?):
      "the connection ended after \(received) of \(expected) bytes of content"
    case .bodyTruncated(let received, nil):
      "the connection ended before the end of the chunked content, after \(received) bytes"
    case .bodyTooLarge(let limit): "the content has more than \(limit) bytes"
    }
  }
}

/// A flaw of a response that can still be used.
package enum ResponseFlaw: Sendable, Equatable, CustomStringConvertible {
  /// A line that ends with LF instead of CRLF.
  case bareLineFeed
  /// A line in the head that is not a field. The line is ignored.
  case malformedField(String)
  /// White space between a field's name and its colon (RFC 9112 section 5.1).
  case spaceBeforeColon(String)
  /// A field value that continues on the next line (RFC 9112 section 5.2).
  case foldedField(String)
  /// Control bytes in a field value.
  case controlInField(String)
  /// The response has both Transfer-Encoding and Content-Length. Content-Length is ignored (RFC
  /// 9112 section 6.3).
  case bothFramings
  /// Content-Length is repeated with the same value.
  case repeatedContentLength
  /// A chunk-size line with white space in it.
  case spaceInChunkSize(String)
  /// Bytes after the end of the response.
  case bytesBehind(String)
  /// A line of a trailer section that is not a field.
  case malformedTrailer(String)

  /// One lower-case sentence without a full stop.
  package var description: String {
    switch self {
    case .bareLineFeed: "a line ends with LF instead of CRLF"
    case .malformedField(let line): "a line of the head is not a field: \"\(line)\""
    case .spaceBeforeColon(let name): "there is white space between the field \(name) and its colon"
    case .foldedField(let name): "the value of the field \(name) continues on the next line"
    case .controlInField(let name): "the value of the field \(name) contains control characters"
    case .bothFramings: "both Transfer-Encoding and Content-Length are given"
    case .repeatedContentLength: "Content-Length is given several times"
    case .spaceInChunkSize(let line): "a chunk size has white space around it: \"\(line)\""
    case .bytesBehind(let start): "more bytes follow the end of the answer: \"\(start)\""
    case .malformedTrailer(let line): "a line after the last chunk is not a field: \"\(line)\""
    }
  }
}
