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
  /// The fields that do.
  package let ownLines: OwnLines
  package let body: [UInt8]
  /// The body once more, when it is large: the kernel sends from it without copying.
  package let file: MemoryFile?

  init(
    commonHead: [UInt8], notModifiedHead: [UInt8], ownLines: OwnLines = OwnLines(), body: [UInt8],
    file: MemoryFile? = nil
  ) {
    self.commonHead = commonHead
    self.notModifiedHead = notModifiedHead
    self.ownLines = ownLines
    self.body = body
    self.file = file
  }
}

/// `Content-Length`, then `ETag`, each with its CR LF: the fields of one representation.
///
/// In place and not in an array, for there are two for each of very many files.
package struct OwnLines: Sendable {
  /// The first `count` count.
  package let bytes: [80 of UInt8]
  package static let room = 80
  private let length: UInt8
  private let tagLine: UInt8

  /// - Parameters:
  ///   - lines: at most 80 bytes: an entity tag is of a fixed length, and no body is longer than
  ///     fits into a dozen digits.
  ///   - entityTagLine: where the `ETag` line begins in them.
  init(_ lines: [UInt8] = [], entityTagLine: Int = 0) {
    var bytes = [80 of UInt8](repeating: 0)
    for index in lines.indices { bytes[index] = lines[index] }
    self.bytes = bytes
    length = UInt8(truncatingIfNeeded: lines.count)
    tagLine = UInt8(truncatingIfNeeded: entityTagLine)
  }

  @inline(__always)
  package var count: Int { Int(length) }

  /// Where the `ETag` line begins: a 304 has it alone (RFC 9110 15.4.5).
  @inline(__always)
  package var entityTagLine: Int { Int(tagLine) }

  /// Where the entity tag is, with its quotes (RFC 9110 8.8.3); another for each coding.
  package var entityTagRange: Range<Int> {
    count == 0 ? 0..<0 : entityTagLine + 6..<count - 2
  }
}
