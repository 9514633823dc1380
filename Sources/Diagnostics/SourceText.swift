/// A text as the user wrote it, with its path.
package struct SourceText: Sendable {
  /// The path to show in diagnostics.
  package let path: String
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// The text after its byte order mark; nil if the text has no byte order mark.
  package var withoutByteOrderMark: SourceText? {
    guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
    return SourceText(path: path, bytes: Array(bytes.dropFirst(3)))
  }

  /// Returns the place of a byte range. Each call counts all lines before the range. To find the
  /// places of many ranges, use `LineIndex`.
  package func place(of range: Range<Int>) -> Diagnostic.Place {
    let target = min(max(range.lowerBound, 0), bytes.count)
    var (line, column) = (1, 1)
    for index in 0..<target {
      if endsLine(bytes, at: index) {
        (line, column) = (line + 1, 1)
      } else if bytes[index] & 0xC0 != 0x80 {
        column += 1
      }
    }
    return Diagnostic.Place(range: range, line: line, column: column)
  }

  /// The location of a byte range, for a diagnostic.
  package func location(of range: Range<Int>) -> Diagnostic.Location {
    Diagnostic.Location(path: path, place: place(of: range))
  }
}

/// The offsets at which the lines of a text begin. With this index, many places in the text can be
/// found quickly.
///
/// A line ends at LF, at CR LF, or at a CR without LF.
package struct LineIndex: Sendable {
  /// The offset of each line's first byte.
  package let starts: [Int]

  package init(_ bytes: [UInt8]) {
    var starts = [0]
    for index in bytes.indices where endsLine(bytes, at: index) { starts.append(index + 1) }
    self.starts = starts
  }

  /// The number of the line that contains the byte at `offset`, counted from 0.
  package func line(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the place of a byte range. `source` must be the text that was indexed.
  package func place(of range: Range<Int>, in source: SourceText) -> Diagnostic.Place {
    let target = min(max(range.lowerBound, 0), source.bytes.count)
    let line = line(of: target)
    var column = 1
    for byte in source.bytes[starts[line]..<target] where byte & 0xC0 != 0x80 { column += 1 }
    return Diagnostic.Place(range: range, line: line + 1, column: column)
  }

  /// The bytes of a line, without its line end.
  package func range(ofLine line: Int, in bytes: [UInt8]) -> Range<Int> {
    var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
    while end > starts[line], bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return starts[line]..<end
  }
}

/// Whether the byte ends a line: LF, or a CR that no LF follows.
private func endsLine(_ bytes: [UInt8], at index: Int) -> Bool {
  bytes[index] == 0x0A
    || bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
}
