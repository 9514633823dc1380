package import Posix

/// The bytes of one representation in one content coding, with the head they are sent under.
///
/// Everything that can be prepared is: a request appends `Last-Modified`, `Date` and perhaps
/// `Connection`, and nothing is formatted. What is the same for very many files is shared by them.
package final class Representation: Sendable {
  /// Status line and fields of the 200 answer that do not depend on the content: shared.
  package let commonHead: [UInt8]
  /// The same of the 304 answer.
  package let notModifiedHead: [UInt8]
  /// `Content-Length`, then `ETag`, each with its CR LF.
  package let ownLines: [UInt8]
  /// Where the `ETag` line begins in `ownLines`: a 304 has it alone (RFC 9110 15.4.5).
  package let entityTagLine: Int
  package let body: [UInt8]
  /// The body once more, when it is large: the kernel sends from it without copying.
  package let file: MemoryFile?

  init(
    commonHead: [UInt8], notModifiedHead: [UInt8], ownLines: [UInt8] = [], entityTagLine: Int = 0,
    body: [UInt8], file: MemoryFile? = nil
  ) {
    self.commonHead = commonHead
    self.notModifiedHead = notModifiedHead
    self.ownLines = ownLines
    self.entityTagLine = entityTagLine
    self.body = body
    self.file = file
  }

  /// Where the entity tag is in `ownLines`, with its quotes (RFC 9110 8.8.3); another for each
  /// coding.
  package var entityTagRange: Range<Int> {
    ownLines.isEmpty ? 0..<0 : entityTagLine + 6..<ownLines.count - 2
  }
}
