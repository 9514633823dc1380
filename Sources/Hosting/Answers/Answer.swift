/// A response, selected but not yet written: references to bytes made when files were loaded.
///
/// On the wire: `head`, `lastModifiedLine`, `Date`, `Connection` where needed, an empty line, `body`.
package struct Answer: Sendable {
  /// Status line and fields, each with its CR LF.
  package let head: [UInt8]
  /// A whole field line, or nothing.
  package let lastModifiedLine: [UInt8]
  /// Empty for HEAD and for statuses that have none.
  package let body: [UInt8]
  /// The connection is closed after it.
  package private(set) var closes: Bool

  /// The same answer as the last one on its connection.
  package var closing: Answer {
    var answer = self
    answer.closes = true
    return answer
  }
}
