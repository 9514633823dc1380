/// Splits bytes into lines. If a line is longer than `limit` bytes, returns `tooLong` for this
/// line, and discards the text of the line.
struct LineSplitter {
  enum Line: Equatable {
    /// A line without its line end.
    case line([UInt8])
    case tooLong
  }

  private let limit: Int
  private var pending: [UInt8] = []
  private var isTooLong = false

  init(limit: Int) { self.limit = limit }

  mutating func take(_ bytes: [UInt8]) -> [Line] {
    var result: [Line] = []
    var start = 0
    for index in bytes.indices where bytes[index] == 0x0A {
      append(bytes[start..<index])
      result.append(end())
      start = index + 1
    }
    append(bytes[start...])
    return result
  }

  /// Returns the last line if it is not terminated by a line end.
  mutating func finish() -> [Line] { pending.isEmpty && !isTooLong ? [] : [end()] }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    if isTooLong { return }
    if pending.count + bytes.count > limit {
      isTooLong = true
      pending.removeAll()
    } else {
      pending.append(contentsOf: bytes)
    }
  }

  private mutating func end() -> Line {
    defer {
      isTooLong = false
      pending.removeAll(keepingCapacity: true)
    }
    return isTooLong ? .tooLong : .line(pending)
  }
}
