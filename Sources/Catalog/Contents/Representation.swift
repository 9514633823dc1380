package import Posix

/// One content coding of a file: the bytes of the body, and the heads of the responses with this
/// body.
///
/// The heads are prepared in advance. For each request, the server only adds `Last-Modified`,
/// `Date` and possibly `Connection`. All representations share the parts of the heads that are
/// equal.
package final class Representation: Sendable {
  /// The status line and those fields of the 200 response that do not depend on the content.
  /// Representations share these bytes.
  package let commonHead: [UInt8]
  /// The status line and the shared fields of the 304 response.
  package let notModifiedHead: [UInt8]
  /// The fields that depend on the content.
  package let contentFields: ContentFields
  package let body: [UInt8]
  /// A copy of a large body in a memory file, from which the kernel sends without copying.
  package let file: MemoryFile?

  init(
    commonHead: [UInt8], notModifiedHead: [UInt8], contentFields: ContentFields = ContentFields(),
    body: [UInt8],
    file: MemoryFile? = nil
  ) {
    self.commonHead = commonHead
    self.notModifiedHead = notModifiedHead
    self.contentFields = contentFields
    self.body = body
    self.file = file
  }
}

/// The `Content-Length` line followed by the `ETag` line, each with CR LF.
///
/// The bytes are stored inline, because an array would take more memory. Each file has up to two
/// values of this type, one for each content coding.
package struct ContentFields: Sendable {
  /// The fields. Only the first `count` bytes are used.
  package let bytes: [80 of UInt8]
  package static let room = 80
  private let length: UInt8
  private let tagLine: UInt8

  /// - Parameters:
  ///   - lines: The two lines, in at most 80 bytes: an entity tag has a fixed length, and a body's
  ///     length has at most twelve digits.
  ///   - entityTagLine: The offset of the `ETag` line in `lines`.
  init(_ lines: [UInt8] = [], entityTagLine: Int = 0) {
    var bytes = [80 of UInt8](repeating: 0)
    for index in lines.indices { bytes[index] = lines[index] }
    self.bytes = bytes
    length = UInt8(truncatingIfNeeded: lines.count)
    tagLine = UInt8(truncatingIfNeeded: entityTagLine)
  }

  @inline(__always)
  package var count: Int { Int(length) }

  /// The offset of the `ETag` line. A 304 response contains this line, but not `Content-Length`
  /// (RFC 9110 section 15.4.5).
  @inline(__always)
  package var entityTagLine: Int { Int(tagLine) }

  /// The range of the entity tag with its quotes (RFC 9110 section 8.8.3). Each coding has its own
  /// tag.
  package var entityTagRange: Range<Int> {
    count == 0 ? 0..<0 : entityTagLine + 6..<count - 2
  }
}
