package import HTTP

/// The path and the site of a request, as indices for counters and logs.
package struct AnswerSubject: Sendable {
  /// The index of the request's path in `WellKnownFiles.paths`; negative for every other path.
  package var path: Int8
  /// The index of the site whose file was fetched, in the catalog that the response came from.
  /// Negative if no file was fetched, or if the server does not count fetches of the file.
  package var site: Int32 = -1

  package init(path: Int8 = -1) { self.path = path }

  /// The number of the requested file in `WellKnownFiles`. The association file has the number 0;
  /// its two paths are the first two in `WellKnownFiles.paths`. Call this only if `path` is not
  /// negative.
  package var file: Int { path == 0 ? 0 : Int(path) &- 1 }
}

/// A response that has been selected but not written yet. The bytes of the response were prepared
/// when the files were loaded.
///
/// The server sends the parts of a response in this order: the common head, the content fields,
/// `Last-Modified` if there is one, `Date`, `Connection` if needed, an empty line, and the body
/// unless it is omitted.
package struct Answer: Sendable {
  package let status: Status
  package let representation: Representation
  package let lastModified: LastModifiedField
  /// Whether the response is a 304 (Not Modified). For a 304, the server sends a separate head, no
  /// body, and no content field except `ETag`.
  package let isNotModified: Bool
  /// Whether the server sends no body. For example, the response to HEAD has no body.
  package let omitsBody: Bool
  /// Whether the connection is closed after this response.
  package private(set) var closes: Bool
  package internal(set) var subject = AnswerSubject()

  @inline(__always)
  init(
    _ status: Status, _ representation: Representation, lastModified: LastModifiedField = .none,
    isNotModified: Bool = false,
    omitsBody: Bool, closes: Bool
  ) {
    self.status = isNotModified ? .notModified : status
    self.representation = representation
    self.lastModified = lastModified
    self.isNotModified = isNotModified
    self.omitsBody = omitsBody || isNotModified
    self.closes = closes
  }

  /// A copy of this response that closes the connection.
  package var closing: Answer {
    var answer = self
    answer.closes = true
    return answer
  }
}

extension ResponseHead {
  /// Adds a field that is known to be valid, because its name and value are constants or were
  /// checked when the configuration was read.
  mutating func addPrepared(_ name: String, _ value: String) {
    do throws(FieldFault) {
      try add(name, value)
    } catch {
      preconditionFailure("\(name): \(error)")
    }
  }
}
