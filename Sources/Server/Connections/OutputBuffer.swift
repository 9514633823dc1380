internal import Catalog
internal import HTTP
internal import Posix

/// Collects the responses of one turn of the event loop in a reused buffer.
struct OutputBuffer {
  private(set) var gathered: Gathered
  private var ends: HeadEnds

  /// - Parameter now: Seconds since 1970.
  init(capacity: Int, now: Int64) {
    gathered = Gathered(memory: Array(repeating: 0, count: capacity))
    ends = HeadEnds(date: DateField(now: now))
  }

  var count: Int { gathered.count }

  /// Sets the time in the Date fields of the following responses.
  mutating func refreshDate(now: Int64) { ends.date.refresh(now: now) }

  var isEmpty: Bool { count == 0 }

  mutating func removeAll() { gathered.count = 0 }

  mutating func append(_ bytes: [UInt8]) { gathered.append(bytes) }

  /// Appends a response. Enlarges the buffer first if necessary.
  ///
  /// - Parameter isHTTP10: Whether the request uses HTTP/1.0. An HTTP/1.0 client expects the server
  ///   to close the connection unless the response says otherwise (RFC 9112 section 9.3).
  @inline(__always)
  mutating func append(_ answer: borrowing Answer, isHTTP10: Bool, includesBody: Bool) {
    gathered.append(answer, ends, isHTTP10: isHTTP10, includesBody: includesBody)
  }

  /// The texts that can end a response's head. Each Connection field is followed by the empty line.
  fileprivate struct HeadEnds {
    var date: DateField
    let close = Array("Connection: close\r\n\r\n".utf8)
    let keepAlive = Array("Connection: keep-alive\r\n\r\n".utf8)
  }

  /// A buffer and the number of its bytes that are in use. They have a type of their own, so that
  /// Swift can borrow both together without a retain.
  struct Gathered {
    /// The buffer. Only its first `count` bytes are used.
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
          + ContentFields.room + LastModifiedField.length + DateField.length
          + ends.keepAlive.count + (includesBody ? representation.body.count : 0))
      var end = count
      var space = memory.mutableSpan
      if answer.isNotModified {
        end = space.copy(representation.notModifiedHead, at: end)
        end = space.copy(
          representation.contentFields.bytes.span.extracting(
            representation.contentFields.entityTagLine..<representation.contentFields.count),
          at: end)
      } else {
        end = space.copy(representation.commonHead, at: end)
        // Copy the whole fixed-size array, because the compiler knows its length. Later output
        // overwrites the unused bytes at its end.
        _ = space.copy(representation.contentFields.bytes.span, at: end)
        end &+= representation.contentFields.count
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
