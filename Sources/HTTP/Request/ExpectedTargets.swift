internal import Bytes

/// The request lines of nearly all requests: `GET` of an expected target in HTTP/1.1. To recognize
/// such a line, a few words are compared instead of each byte.
struct ExpectedTargets: Sendable {
  /// The bytes of all expected request lines as 64-bit words, one line after the other (see
  /// `Line`).
  private var words: [UInt64] = []
  private var lines: [Line] = []

  private struct Line {
    /// The index in `words` of the line's first word. If the line's length is not a multiple of
    /// eight bytes, the last word of the line overlaps the word before it.
    var start: Int
    /// The length of the line in bytes, including CRLF.
    var count: Int
  }

  /// The length of `GET` and the space after it.
  private static let methodBytes = 4
  /// The length of the part of a request line after the target: a space, `HTTP/1.1` and CRLF.
  private static let versionBytes = 11

  /// - Parameter targets: Targets in origin-form, without a query and without bytes that need
  ///   encoding in a path.
  init(_ targets: [[UInt8]]) {
    for target in targets {
      let line = Array("GET ".utf8) + target + Array(" HTTP/1.1\r\n".utf8)
      lines.append(Line(start: words.count, count: line.count))
      for position in Self.positions(line.count) {
        words.append(word(line.span, at: position) ?? 0)
      }
    }
  }

  private static func positions(_ count: Int) -> [Int] {
    Array(stride(from: 0, to: count - 8, by: 8)) + [count - 8]
  }

  /// Returns the expected request line that begins at `start`: its index, the range of its target,
  /// and the index after the line. Nil if no expected request line begins at `start`.
  @inline(__always)
  func find(_ bytes: Span<UInt8>, from start: Int) -> (index: Int, target: Range<Int>, end: Int)? {
    let words = words.span
    let lines = lines.span
    for index in lines.indices {
      let line = lines[index]
      if bytes.count &- start < line.count { continue }
      var offset = 0
      var next = line.start
      while let found = word(bytes, at: start &+ offset), found == words[next] {
        let last = line.count &- 8
        if offset == last {
          let end = start &+ line.count
          return (index, start &+ Self.methodBytes..<end &- Self.versionBytes, end)
        }
        offset = min(offset &+ 8, last)
        next &+= 1
      }
    }
    return nil
  }
}
