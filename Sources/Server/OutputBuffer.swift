internal import HTTP
internal import Hosting
internal import Posix

/// The answers of one turn, gathered in memory that stays from turn to turn.
struct OutputBuffer {
  /// What is gathered are its first `count` bytes.
  private(set) var memory: [UInt8]
  private(set) var count = 0
  private var date: DateField
  // Each with the empty line that ends the head.
  private let closeLine = Array("Connection: close\r\n\r\n".utf8)
  private let keepAliveLine = Array("Connection: keep-alive\r\n\r\n".utf8)

  /// - Parameter now: seconds since 1970.
  init(capacity: Int, now: Int64) {
    memory = Array(repeating: 0, count: capacity)
    date = DateField(now: now)
  }

  /// Takes the time for the Date fields of the answers that follow.
  mutating func refreshDate(now: Int64) { date.refresh(now: now) }

  var isEmpty: Bool { count == 0 }

  mutating func removeAll() { count = 0 }

  mutating func append(_ bytes: [UInt8]) {
    makeRoom(for: bytes.count)
    let start = count
    var space = memory.mutableSpan
    count = space.copy(bytes, at: start)
  }

  /// Appends an answer. Room for all of it is made at once.
  ///
  /// - Parameter isHTTP10: the client takes the connection for closing unless told otherwise
  ///   (RFC 9112 9.3).
  mutating func append(_ answer: Answer, isHTTP10: Bool, includesBody: Bool) {
    let representation = answer.representation
    makeRoom(
      for: representation.commonHead.count + representation.notModifiedHead.count
        + representation.ownLines.count + answer.lastModifiedLine.count + DateField.length
        + keepAliveLine.count + (includesBody ? representation.body.count : 0))
    if answer.closes {
      count = Self.write(answer, includesBody, date.bytes, closeLine, to: &memory, at: count)
    } else if isHTTP10 {
      count = Self.write(answer, includesBody, date.bytes, keepAliveLine, to: &memory, at: count)
    } else {
      count = Self.write(answer, includesBody, date.lastBytes, [], to: &memory, at: count)
    }
  }

  /// Writes an answer where room for it is, and returns where it ends.
  ///
  /// - Parameters:
  ///   - date: with the head's end, where no `connectionLine` follows.
  ///   - connectionLine: with the head's end; empty for none.
  private static func write(
    _ answer: Answer, _ includesBody: Bool, _ date: [UInt8], _ connectionLine: [UInt8],
    to memory: inout [UInt8], at start: Int
  ) -> Int {
    let representation = answer.representation
    var space = memory.mutableSpan
    var end: Int
    if answer.isNotModified {
      end = space.copy(representation.notModifiedHead, at: start)
      end = space.copy(
        representation.ownLines, from: representation.entityTagLine, at: end)
    } else {
      end = space.copy(representation.commonHead, at: start)
      end = space.copy(representation.ownLines, at: end)
    }
    end = space.copy(answer.lastModifiedLine, at: end)
    end = space.copy(date, at: end)
    end = space.copy(connectionLine, at: end)
    return includesBody ? space.copy(representation.body, at: end) : end
  }

  private mutating func makeRoom(for more: Int) {
    if count + more <= memory.count { return }
    memory += Array(repeating: 0, count: max(more, memory.count))
  }
}
