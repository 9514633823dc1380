/// Finds where a request head ends, over any number of reads (RFC 9112 section 2.1).
///
/// It lives in a connection between reads: eight bytes that say how far it looked and what it
/// saw last, so each byte is looked at once. What can never become a valid head is refused at
/// the byte that spoils it, in an unfinished head too: a client must not be able to make the
/// server wait for the end of nonsense. Everything else is for `RequestHead` to judge.
package struct HeadFramer: Sendable {
  /// How many bytes of this head were looked at.
  private var position: UInt32 = 0
  /// Where the target begins, counted like `position`.
  private var targetStart: UInt16 = 0
  private var state = State.beginning

  /// What the next byte is.
  private enum State: UInt8 {
    /// the first byte of all
    case beginning
    /// the LF of a leading empty line
    case leadingLineFeed
    /// the first byte after a leading empty line
    case afterLeadingLine
    /// in the method
    case method
    /// in the target
    case target
    /// in a line: the version, or a field line
    case line
    /// the LF that ends a line
    case lineFeed
    /// the first byte of a field line, or the CR of the empty line
    case lineStart
    /// the LF of the empty line
    case lastLineFeed
  }

  package init() {}

  /// Nothing of a head was seen yet, not even an empty line before it: the connection is idle,
  /// and its buffer may be dropped.
  package var isEmpty: Bool { position == 0 }

  /// Looks at the bytes that arrived since the last call.
  ///
  /// - Parameters:
  ///   - bytes: everything that was read and not yet dropped.
  ///   - start: where this head begins in `bytes`. It may differ between calls (a buffer may be
  ///     moved), but the bytes from there on are the same, and more.
  /// - Returns: the index after the empty line, when the head is complete; the framer is then
  ///   ready for the next head. nil when more bytes are needed.
  /// - Throws: what can never become a head. The framer is of no use afterwards.
  package mutating func frame(
    _ bytes: Span<UInt8>, from start: Int, limits: RequestLimits
  ) throws(RequestFault) -> Int? {
    var index = start &+ Int(position)
    let limit = start &+ limits.headBytes
    let end = min(bytes.count, limit)

    while index < end {
      switch state {
      case .line:
        index = firstByte(below: ASCII.space, in: bytes, from: index, to: end)
        if index == end { break }
        let byte = bytes[index]
        if byte == ASCII.carriageReturn {
          // Most often the end of the line is here with what follows it: no need for states.
          if end &- index >= 4, bytes[index &+ 1] == ASCII.lineFeed {
            let next = bytes[index &+ 2]
            if ByteClass.token.contains(next) {
              index &+= 3
              continue
            }
            if next == ASCII.carriageReturn, bytes[index &+ 3] == ASCII.lineFeed {
              self = HeadFramer()
              return index &+ 4
            }
          }
          state = .lineFeed
        } else if byte != ASCII.horizontalTab {
          throw fault(of: byte)
        }
        index &+= 1
      case .lineFeed:
        guard bytes[index] == ASCII.lineFeed else { throw .carriageReturnWithoutLineFeed }
        index &+= 1
        state = .lineStart
      case .lineStart:
        let byte = bytes[index]
        index &+= 1
        if byte > ASCII.space {
          state = .line
          if byte == ASCII.delete { throw .controlCharacter }
        } else if byte == ASCII.carriageReturn {
          state = .lastLineFeed
        } else {
          throw byte.isWhitespace ? .foldedLine : fault(of: byte)
        }
      case .lastLineFeed:
        guard bytes[index] == ASCII.lineFeed else { throw .carriageReturnWithoutLineFeed }
        self = HeadFramer()
        return index &+ 1
      case .target:
        index = try skipTarget(bytes, start, index, end, limits.targetBytes)
      case .method:
        index = try skipMethod(bytes, start, index, end, limits.methodBytes)
      case .beginning, .leadingLineFeed, .afterLeadingLine:
        index = try skipBeginning(bytes, index)
      }
    }
    if index >= limit { throw .headTooLarge }
    position = UInt32(truncatingIfNeeded: index &- start)
    return nil
  }

  /// Servers ignore an empty line before a request line: old clients sent one after content
  /// (RFC 9112 section 2.2). One, or a client could send them without end.
  private mutating func skipBeginning(
    _ bytes: Span<UInt8>, _ index: Int
  ) throws(RequestFault) -> Int {
    let byte = bytes[index]
    if state == .leadingLineFeed {
      guard byte == ASCII.lineFeed else { throw .carriageReturnWithoutLineFeed }
      state = .afterLeadingLine
      return index &+ 1
    }
    if ByteClass.token.contains(byte) {
      state = .method
      return index
    }
    if byte == ASCII.carriageReturn {
      if state == .afterLeadingLine { throw .repeatedEmptyLine }
      state = .leadingLineFeed
      return index &+ 1
    }
    throw byte == ASCII.lineFeed ? .lineFeedWithoutCarriageReturn : .malformedMethod
  }

  private mutating func skipMethod(
    _ bytes: Span<UInt8>, _ start: Int, _ index: Int, _ end: Int, _ methodBytes: Int
  ) throws(RequestFault) -> Int {
    var index = index
    // At most the two bytes of a leading empty line stand before the method.
    let methodStart = start &+ (bytes[start] == ASCII.carriageReturn ? 2 : 0)
    let limit = methodStart &+ methodBytes
    while index < end {
      let byte = bytes[index]
      if byte == ASCII.space {
        index &+= 1
        targetStart = UInt16(truncatingIfNeeded: index &- start)
        state = .target
        return index
      }
      guard ByteClass.token.contains(byte) else { throw .malformedMethod }
      if index >= limit { throw .methodTooLong }
      index &+= 1
    }
    return index
  }

  private mutating func skipTarget(
    _ bytes: Span<UInt8>, _ start: Int, _ index: Int, _ end: Int, _ targetBytes: Int
  ) throws(RequestFault) -> Int {
    let limit = start &+ Int(targetStart) &+ targetBytes
    let found = firstByte(
      below: ASCII.space + 1, in: bytes, from: index, to: min(end, limit &+ 1))
    if found == end && found <= limit { return found }
    if found > limit { throw .targetTooLong }
    let byte = bytes[found]
    if byte == ASCII.space {
      state = .line
      return found &+ 1
    }
    // A line without a version is what HTTP/0.9 sent; no need to wait for what follows.
    throw byte == ASCII.carriageReturn ? .malformedVersion : fault(of: byte)
  }

  /// Which fault a control character is that stands where none may.
  private func fault(of byte: UInt8) -> RequestFault {
    byte == ASCII.lineFeed ? .lineFeedWithoutCarriageReturn : .controlCharacter
  }
}
