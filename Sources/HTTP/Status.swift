/// The status codes that this server sends (RFC 9110 section 15).
package enum Status: UInt16, Sendable, CaseIterable {
  case `continue` = 100
  case ok = 200
  case noContent = 204
  case notModified = 304
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case notAcceptable = 406
  case requestTimeout = 408
  case conflict = 409
  case preconditionFailed = 412
  case contentTooLarge = 413
  case uriTooLong = 414
  case expectationFailed = 417
  case misdirectedRequest = 421
  case unprocessableContent = 422
  case requestHeaderFieldsTooLarge = 431
  case internalServerError = 500
  case notImplemented = 501
  case serviceUnavailable = 503
  case httpVersionNotSupported = 505

  /// The three-digit code.
  package var code: UInt16 { rawValue }

  /// The position in the list of all status codes, from 0. Counters use this position as an index.
  package var index: Int {
    switch self {
    case .continue: 0
    case .ok: 1
    case .noContent: 2
    case .notModified: 3
    case .badRequest: 4
    case .forbidden: 5
    case .notFound: 6
    case .methodNotAllowed: 7
    case .notAcceptable: 8
    case .requestTimeout: 9
    case .conflict: 10
    case .preconditionFailed: 11
    case .contentTooLarge: 12
    case .uriTooLong: 13
    case .expectationFailed: 14
    case .misdirectedRequest: 15
    case .unprocessableContent: 16
    case .requestHeaderFieldsTooLarge: 17
    case .internalServerError: 18
    case .notImplemented: 19
    case .serviceUnavailable: 20
    case .httpVersionNotSupported: 21
    }
  }

  /// The reason phrase for the status line, as IANA's registry lists it.
  package var reasonPhrase: String {
    switch self {
    case .continue: "Continue"
    case .ok: "OK"
    case .noContent: "No Content"
    case .notModified: "Not Modified"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .notAcceptable: "Not Acceptable"
    case .requestTimeout: "Request Timeout"
    case .conflict: "Conflict"
    case .preconditionFailed: "Precondition Failed"
    case .contentTooLarge: "Content Too Large"
    case .uriTooLong: "URI Too Long"
    case .expectationFailed: "Expectation Failed"
    case .misdirectedRequest: "Misdirected Request"
    case .unprocessableContent: "Unprocessable Content"
    case .requestHeaderFieldsTooLarge: "Request Header Fields Too Large"
    case .internalServerError: "Internal Server Error"
    case .notImplemented: "Not Implemented"
    case .serviceUnavailable: "Service Unavailable"
    case .httpVersionNotSupported: "HTTP Version Not Supported"
    }
  }
}
