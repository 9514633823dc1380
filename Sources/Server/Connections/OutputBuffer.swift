internal import HTTP
internal import Hosting
internal import Posix

/// The answers of one turn, gathered in memory that stays from turn to turn.
struct OutputBuffer {
  private(set) var gathered: Gathered
  private var ends: HeadEnds

  /// - Parameter now: seconds since 1970.
  init(capacity: Int, now: Int64) {
    gathered = Gathered(memory: Array(repeating: 0, count: capacity))
    ends = HeadEnds(date: DateField(now: now))
  }

  var count: Int { gathered.count }

  /// Takes the time for the Date fields of the answers that follow.
  mutating func refreshDate(now: Int64) { ends.date.refresh(now: now) }

  var isEmpty: Bool { count == 0 }

  mutating func removeAll() { gathered.count = 0 }

  mutating func append(_ bytes: [UInt8]) { gathered.append(bytes) }

  /// Appends an answer. Room for all of it is made at once.
  ///
  /// - Parameter isHTTP10: the client takes the connection for closing unless told otherwise
  ///   (RFC 9112 9.3).
  @inline(__always)
  mutating func append(_ answer: borrowing Answer, isHTTP10: Bool, includesBody: Bool) {
    gathered.append(answer, ends, isHTTP10: isHTTP10, includesBody: includesBody)
  }

  /// What heads end with, each with the empty line behind it.
  fileprivate struct HeadEnds {
    var date: DateField
    let close = Array("Connection: close\r\n\r\n".utf8)
    let keepAlive = Array("Connection: keep-alive\r\n\r\n".utf8)
  }

  /// Memory and how much of it is used: apart from what is written into it, so that both can be
  /// lent at once without being taken hold of.
  struct Gathered {
    /// What is gathered are its first `count` bytes.
    fileprivate(set) var memory: [UInt8]
    fileprivate(set) var count = 0

    fileprivate mutating func append(_ bytes: [UInt8]) {
      makeRoom(for: bytes.count)
      var end = count
      var space = memory.mutableSpan
      end = space.copy(bytes, at: end)
      count = end
    }

    fileprivate mutating func append(
      _ answer: borrowing Answer, _ ends: borrowing HeadEnds, isHTTP10: Bool, includesBody: Bool
    ) {
      let representation = answer.representation
      makeRoom(
        for: representation.commonHead.count + representation.notModifiedHead.count
          + OwnLines.room + LastModifiedField.length + DateField.length
          + ends.keepAlive.count + (includesBody ? representation.body.count : 0))
      var end = count
      var space = memory.mutableSpan
      if answer.isNotModified {
        end = space.copy(representation.notModifiedHead, at: end)
        end = space.copy(
          representation.ownLines.bytes.span.extracting(
            representation.ownLines.entityTagLine..<representation.ownLines.count), at: end)
      } else {
        end = space.copy(representation.commonHead, at: end)
        // All of the room they have, whose length is known now; what is too much is written over.
        _ = space.copy(representation.ownLines.bytes.span, at: end)
        end &+= representation.ownLines.count
      }
      if answer.lastModified.isPresent {
        end = space.copy(answer.lastModified.bytes.span, at: end)
      }
      if answer.closes || isHTTP10 {
        end = space.copy(ends.date.bytes, at: end)
        end = space.copy(answer.closes ? ends.close : ends.keepAlive, at: end)
      } else {
        end = space.copy(ends.date.lastBytes, at: end)
      }
      if includesBody { end = space.copy(representation.body, at: end) }
      count = end
    }

    private mutating func makeRoom(for more: Int) {
      if more <= memory.count - count { return }
      memory += Array(repeating: 0, count: max(more, memory.count))
    }
  }
}
