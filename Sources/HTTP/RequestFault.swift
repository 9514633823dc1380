/// A fault of a request. Each case is named after the part of the grammar that the request
/// violates.
///
/// After any fault, answer with `status`, then close the connection. It is unknown where the next
/// request begins, so the bytes that follow must not be read as a request (RFC 9112 section 11.2).
package enum RequestFault: Error, Sendable, Equatable, CaseIterable {
  // Lines (RFC 9112 section 2.2)
  case lineFeedWithoutCarriageReturn
  case carriageReturnWithoutLineFeed
  case controlCharacter
  case repeatedEmptyLine

  // Request line (RFC 9112 section 3)
  case malformedMethod
  case methodTooLong
  case malformedTarget
  case targetTooLong
  case malformedVersion
  case unsupportedVersion

  // Fields (RFC 9110 section 5, RFC 9112 section 5)
  case headTooLarge
  case tooManyFields
  case malformedFieldName
  case whitespaceBeforeColon
  case foldedLine

  // Host (RFC 9112 section 3.2)
  case missingHost
  case repeatedHost
  case malformedHost
  /// The host given by a trusted proxy (RFC 7239 section 5.3, X-Forwarded-Host).
  case malformedForwardedHost

  // Message framing (RFC 9112 section 6)
  case malformedLength
  case repeatedLength
  case lengthWithTransferEncoding
  case transferEncodingInOldVersion
  case malformedTransferEncoding
  case unknownTransferCoding

  // Expect (RFC 9110 section 10.1.1)
  case expectationFailed

  // Content (RFC 9112 section 7)
  case bodyTooLarge
  case malformedChunk
  case chunkLineTooLong
  case malformedTrailer
  case trailerTooLarge

  /// The status of the answer.
  package var status: Status {
    switch self {
    case .targetTooLong: .uriTooLong
    case .methodTooLong, .unknownTransferCoding: .notImplemented
    case .unsupportedVersion: .httpVersionNotSupported
    case .headTooLarge, .tooManyFields, .trailerTooLarge: .requestHeaderFieldsTooLarge
    case .expectationFailed: .expectationFailed
    case .bodyTooLarge: .contentTooLarge
    default: .badRequest
    }
  }

  /// The reason for logs and answers. Each reason is a fixed text that contains nothing from the
  /// request.
  package var reason: String {
    switch self {
    case .lineFeedWithoutCarriageReturn: "a line ends with LF instead of CRLF"
    case .carriageReturnWithoutLineFeed: "a CR is not followed by LF"
    case .controlCharacter: "the request's head contains a control character"
    case .repeatedEmptyLine: "there is more than one empty line before the request line"
    case .malformedMethod: "the method is not a token followed by one space"
    case .methodTooLong: "the method is longer than any known method"
    case .malformedTarget: "the request target is not valid"
    case .targetTooLong: "the request target is too long"
    case .malformedVersion: "the request line does not end with a space and an HTTP version"
    case .unsupportedVersion: "the major version of HTTP is not 1"
    case .headTooLarge: "the request's head is too large"
    case .tooManyFields: "the request's head has too many fields"
    case .malformedFieldName: "a field line has no valid name followed by a colon"
    case .whitespaceBeforeColon: "there is white space between a field name and the colon"
    case .foldedLine: "a field line begins with white space"
    case .missingHost: "the Host field is missing"
    case .repeatedHost: "the Host field is repeated"
    case .malformedHost: "the Host field is not a valid host and port"
    case .malformedForwardedHost:
      "the host that a proxy sent in a header field is not a valid host and port"
    case .malformedLength: "the Content-Length field is not a number, or is far too large"
    case .repeatedLength: "the Content-Length field is repeated"
    case .lengthWithTransferEncoding: "both Content-Length and Transfer-Encoding are given"
    case .transferEncodingInOldVersion: "an HTTP/1.0 request has a Transfer-Encoding field"
    case .malformedTransferEncoding:
      "Transfer-Encoding must contain chunked exactly once, as the last coding and without "
        + "parameters"
    case .unknownTransferCoding: "Transfer-Encoding contains a coding other than chunked"
    case .expectationFailed: "the Expect field has a value other than 100-continue"
    case .bodyTooLarge: "the request's content is too large"
    case .malformedChunk: "the chunked content is malformed"
    case .chunkLineTooLong: "a chunk-size line is too long"
    case .malformedTrailer: "the trailer section is malformed"
    case .trailerTooLarge: "the trailer section is too large"
    }
  }
}
