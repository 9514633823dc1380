package import HTTP

/// The subject of a request, for counters and logs.
package struct AnswerSubject: Sendable {
  /// The index in `WellKnownFiles.paths`; negative for any other path.
  package var path: Int8
  /// The index of the site whose file was fetched, in the catalog of the answer. Negative if
  /// nothing was fetched, or for a file whose fetches are not counted.
  package var site: Int32 = -1

  package init(path: Int8 = -1) { self.path = path }

  /// The number of the file at this path, which must not be negative. The first file has two paths.
  package var file: Int { path == 0 ? 0 : Int(path) &- 1 }
}

/// A response that is selected but not yet written: references to bytes made when files were
/// loaded.
///
/// On the wire: the representation's common head and content fields, `Last-Modified` if present,
/// `Date`, `Connection` if needed, an empty line, and the body unless it is omitted.
package struct Answer: Sendable {
  package let status: Status
  package let representation: Representation
  package let lastModified: LastModifiedField
  /// Whether this is a 304, which has its own head, the entity tag as its only content field, and
  /// no body.
  package let isNotModified: Bool
  /// Whether the body is left out, as for HEAD.
  package let omitsBody: Bool
  /// Whether the connection is closed after this answer.
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

  /// A copy of this answer that closes the connection.
  package var closing: Answer {
    var answer = self
    answer.closes = true
    return answer
  }
}

extension ResponseHead {
  /// Adds a field whose name and value are constants, or were checked with the configuration.
  mutating func addPrepared(_ name: String, _ value: String) {
    do throws(FieldFault) {
      try add(name, value)
    } catch {
      preconditionFailure("\(name): \(error)")
    }
  }
}
