/// A text as the user wrote it, with its path.
package struct SourceText: Sendable {
  /// The path to show in diagnostics.
  package let path: String
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// The text after a byte order mark; nil if there is none.
  package var withoutByteOrderMark: SourceText? {
    guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
    return SourceText(path: path, bytes: Array(bytes.dropFirst(3)))
  }

  /// The place of a byte range. Counts all lines before it; use `LineIndex` to find many places.
  package func place(of range: Range<Int>) -> Diagnostic.Place {
    LineIndex(bytes).place(of: range, in: self)
  }

  /// The location of a byte range, for a diagnostic.
  package func location(of range: Range<Int>) -> Diagnostic.Location {
    Diagnostic.Location(path: path, place: place(of: range))
  }
}
