package import HTTP

/// What a request was about, for who counts and logs it.
package struct AnswerSubject: Sendable {
  /// Which of `AnswerSelector.paths`; negative for any other.
  package var path: Int8
  /// The site whose file was fetched, by its place in the catalog that the answer is from; negative
  /// when nothing was fetched.
  package var site: Int32 = -1

  package init(path: Int8 = -1) { self.path = path }

  /// Which file the path means.
  package var file: SiteFile { path == AnswerSelector.assetLinksPath ? .assetLinks : .association }
}

/// A response, selected but not yet written: references to bytes made when files were loaded.
///
/// On the wire: the representation's common head and own lines, `Last-Modified` where there is one, `Date`,
/// `Connection` where needed, an empty line, and the body unless it is omitted.
package struct Answer: Sendable {
  package let status: Status
  package let representation: Representation
  package let lastModified: LastModifiedField
  /// 304: its own head, of the representation's own lines the entity tag only, no body.
  package let isNotModified: Bool
  /// For HEAD, which gets the head of what GET would get.
  package let omitsBody: Bool
  /// The connection is closed after it.
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

  /// The same answer as the last one on its connection.
  package var closing: Answer {
    var answer = self
    answer.closes = true
    return answer
  }
}
