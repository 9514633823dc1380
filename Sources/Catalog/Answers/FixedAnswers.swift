package import HTTP

/// The responses that do not come from a file. These responses are prepared once, and are the same
/// for all clients.
///
/// The body of each response is one line. No response repeats any part of its request.
package struct FixedAnswers: Sendable {
  /// The methods that are allowed for served files (RFC 9110 section 10.2.1).
  static let allowedMethods = "GET, HEAD, OPTIONS"

  /// The prepared responses. The index of a response is its status code minus 100. The value is nil
  /// if the server never sends this status code.
  private var prepared: [Representation?]
  private let internalError: Representation

  /// The response to a client that uses plain HTTP on the TLS port.
  package static let plainHTTP: Answer = {
    let prepared = prepare(.badRequest, text: "this port speaks HTTPS: use https://")
    return Answer(.badRequest, prepared, omitsBody: false, closes: true)
  }()

  /// - Parameter retryAfter: The number of seconds in the `Retry-After` field of a 503.
  package init(retryAfter: Int) {
    prepared = Array(repeating: nil, count: 500)
    internalError = Self.prepare(.internalServerError)
    for status in Status.allCases where status.code >= 200 && status != .notModified {
      prepared[Int(status.code) - 100] = Self.prepare(status, retryAfter: retryAfter)
    }
  }

  private static func prepare(
    _ status: Status, text: String? = nil, retryAfter: Int = 0
  ) -> Representation {
    var head = ResponseHead(status: status)
    var body: [UInt8] = []
    if status != .noContent {
      body = Array(((text ?? Self.text(of: status)) + "\n").utf8)
      head.addPrepared("Content-Type", "text/plain; charset=utf-8")
      head.addPrepared("Content-Length", String(body.count))
      // A cache must not store a response about a fault. Otherwise, clients could get this response
      // after the fault has been fixed.
      head.addPrepared("Cache-Control", "no-store")
    }
    head.addPrepared("X-Content-Type-Options", "nosniff")
    switch status {
    case .noContent, .methodNotAllowed: head.addPrepared("Allow", allowedMethods)
    case .serviceUnavailable: head.addPrepared("Retry-After", String(retryAfter))
    case .notAcceptable: head.addPrepared("Vary", "Accept-Encoding")
    default: break
    }
    return Representation(commonHead: head.bytes, notModifiedHead: [], body: body)
  }

  private static func text(of status: Status) -> String {
    switch status {
    case .notFound: "not found"
    case .methodNotAllowed: "this method is not allowed here"
    case .notAcceptable: "the request accepts no available content coding"
    case .requestTimeout: "the request took too long"
    case .preconditionFailed: "a precondition of the request is not met"
    case .contentTooLarge: "the request's content is too large"
    case .uriTooLong: "the request's target is too long"
    case .expectationFailed: "the request's Expect field cannot be met"
    case .misdirectedRequest: "the requested scheme or host is not served on this connection"
    case .requestHeaderFieldsTooLarge: "the request's head is too large"
    case .notImplemented: "the request's method or transfer coding is not implemented"
    case .serviceUnavailable: "there is no usable version of this file now"
    case .httpVersionNotSupported: "only HTTP/1.0 and HTTP/1.1 are served here"
    default: status.reasonPhrase.lowercased()
    }
  }

  /// - Parameters:
  ///   - omitsBody: Whether the response has no body. For example, the response to HEAD has no
  ///     body.
  ///   - closes: Whether the connection is closed after the response.
  package func answer(_ status: Status, omitsBody: Bool = false, closes: Bool = false) -> Answer {
    let found = prepared[Int(status.code) - 100] ?? internalError
    return Answer(status, found, omitsBody: omitsBody, closes: closes)
  }
}
