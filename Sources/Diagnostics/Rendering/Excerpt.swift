internal import Bytes

/// The part of a source line to show on a terminal, with a mark below the range of a diagnostic.
struct Excerpt {
  /// The part of the line, without tabs and control characters. `…` replaces the text that does not
  /// fit into the width.
  let line: String
  /// The spaces to print before the mark, so that the mark is below the range.
  let space: String
  /// The mark below the range: one or more `^`.
  let mark: String

  init(_ place: Diagnostic.Place, _ source: SourceText, _ lines: LineIndex, width: Int) {
    let bytes = source.bytes
    let line = lines.range(ofLine: min(place.line, lines.starts.count) - 1, in: bytes)
    let start = min(max(place.range.lowerBound, line.lowerBound), line.upperBound)
    let end = min(max(place.range.upperBound, start), line.upperBound)
    // If the line is very long, decode only the part around the range. A scalar has at most four
    // bytes.
    let reach = width * 4
    let from = Self.boundary(bytes, max(line.lowerBound, start - reach), line)
    let spanEnd = end - start > reach ? Self.boundary(bytes, start + reach, line) : end
    let to = Self.boundary(bytes, min(line.upperBound, spanEnd + reach), line)
    var before = Cells(bytes[from..<start], isCutBefore: from > line.lowerBound)
    var span = Cells(bytes[start..<spanEnd], isCutAfter: spanEnd < end)
    var after = Cells(bytes[spanEnd..<to], isCutAfter: to < line.upperBound)
    if before.width + span.width + after.width > width {
      span.keepFirst(max(1, width * 2 / 3))
      let rest = width - span.width
      let room = max(rest - after.width, rest / 2)
      before.keepLast(min(room, before.width))
      after.keepFirst(max(0, width - before.width - span.width))
    }
    self.line = before.text + span.text + after.text
    space = String(repeating: " ", count: before.width)
    mark = String(repeating: "^", count: max(1, span.width))
  }

  /// Returns the start of the UTF-8 sequence that contains the byte at `index`.
  private static func boundary(_ bytes: [UInt8], _ index: Int, _ line: Range<Int>) -> Int {
    var index = index
    var steps = 0
    while index > line.lowerBound, index < line.upperBound, bytes[index] & 0xC0 == 0x80, steps < 3 {
      index -= 1
      steps += 1
    }
    return index
  }
}

/// A text, and the number of columns that it takes on a terminal.
private struct Cells {
  private var cells: [(text: String, width: Int)]

  var width: Int { cells.reduce(0) { $0 + $1.width } }
  var text: String { cells.map(\.text).joined() }

  init(_ bytes: ArraySlice<UInt8>, isCutBefore: Bool = false, isCutAfter: Bool = false) {
    cells = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
      if scalar == "\t" { return ("    ", 4) }
      if scalar.isInvisible { return ("\u{FFFD}", 1) }
      return (String(scalar), terminalWidth(of: scalar))
    }
    if isCutBefore { cells.insert(("…", 1), at: 0) }
    if isCutAfter { cells.append(("…", 1)) }
  }

  mutating func keepFirst(_ limit: Int) {
    guard width > limit else { return }
    while !cells.isEmpty, width >= max(1, limit) { cells.removeLast() }
    if limit > 0 { cells.append(("…", 1)) }
  }

  mutating func keepLast(_ limit: Int) {
    guard width > limit else { return }
    while !cells.isEmpty, width >= max(1, limit) { cells.removeFirst() }
    if limit > 0 { cells.insert(("…", 1), at: 0) }
  }
}

/// Returns the number of columns that a character takes: 0 for combining marks, 2 for characters of
/// East Asian scripts and pictographs (Unicode Standard Annex 11, the wide blocks), and 1 for
/// others.
func terminalWidth(of scalar: Unicode.Scalar) -> Int {
  if scalar.value < 0x300 { return 1 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: return 0
  default: break
  }
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
    0x20000...0x3FFFD:
    return 2
  default:
    return 1
  }
}
