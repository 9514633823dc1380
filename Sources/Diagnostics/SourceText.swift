/// A text as the user wrote it, with its path.
package struct SourceText: Sendable {
  /// The path to show in diagnostics.
  package let path: String
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// The place of a byte range, found by counting lines: for diagnostics, not for hot code.
  ///
  /// A line ends at LF, CR LF, or a CR alone. A column counts Unicode scalars, that is, bytes that
  /// do not continue a UTF-8 sequence.
  package func place(of range: Range<Int>) -> Diagnostic.Place {
    let target = min(max(range.lowerBound, 0), bytes.count)
    var line = 1
    var lineStart = 0
    var index = 0
    while index < target {
      let byte = bytes[index]
      index += 1
      if byte == 0x0D && index < bytes.count && bytes[index] == 0x0A {
        if index == target { break }
        index += 1
      }
      if byte == 0x0A || byte == 0x0D {
        line += 1
        lineStart = index
      }
    }
    var column = 1
    for byte in bytes[lineStart..<target] where byte & 0xC0 != 0x80 { column += 1 }
    return Diagnostic.Place(range: range, line: line, column: column)
  }

  /// The location of a byte range, for a diagnostic.
  package func location(of range: Range<Int>) -> Diagnostic.Location {
    Diagnostic.Location(path: path, place: place(of: range))
  }
}
