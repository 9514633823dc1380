/// A response, selected but not yet written: references to bytes made when files were loaded.
///
/// On the wire: the representation's common head and own lines, `lastModifiedLine`, `Date`,
/// `Connection` where needed, an empty line, and the body unless it is omitted.
package struct Answer: Sendable {
  package let representation: Representation
  /// A whole field line, or nothing.
  package let lastModifiedLine: [UInt8]
  /// 304: its own head, of the representation's own lines the entity tag only, no body.
  package let isNotModified: Bool
  /// For HEAD, which gets the head of what GET would get.
  package let omitsBody: Bool
  /// The connection is closed after it.
  package private(set) var closes: Bool

  @inline(__always)
  init(
    _ representation: Representation, lastModifiedLine: [UInt8] = [], isNotModified: Bool = false,
    omitsBody: Bool, closes: Bool
  ) {
    self.representation = representation
    self.lastModifiedLine = lastModifiedLine
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
