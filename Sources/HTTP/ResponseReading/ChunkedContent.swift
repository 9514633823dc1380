internal import Bytes

/// Removes the chunked coding (RFC 9112 section 7.1) from a server's response.
///
/// Unlike the reader for requests, this type accepts two flaws: lines that end with LF only, and
/// white space around a chunk's size. It records each of these flaws. Accepting them is safe,
/// because this code only inspects a server and forwards nothing.
struct ChunkedContent: Sendable {
  private(set) var flaws: [ResponseFlaw] = []
  private let limits: ResponseLimits
  private var state = State.sizeLine
  private var line: [UInt8] = []
  private var chunks = 0
  private var trailerLines = 0

  private enum State: Equatable, Sendable {
    case sizeLine
    /// The data of a chunk. The associated value is the number of bytes that are not yet read.
    case data(Int)
    /// The line end after a chunk's data.
    case dataEnd
    case trailer
  }

  private static let shownBytes = 40

  init(_ limits: ResponseLimits) { self.limits = limits }

  /// Consumes bytes from `index` on: in a line, one byte; in the data of a chunk, all available
  /// bytes of the data. Returns true once the content is complete.
  mutating func take(
    _ bytes: Span<UInt8>, _ index: inout Int, into body: inout [UInt8]
  ) throws(ResponseFault) -> Bool {
    if case .data(let missing) = state {
      let count = min(missing, bytes.count - index)
      for offset in 0..<count { body.append(bytes[index + offset]) }
      index += count
      state = count == missing ? .dataEnd : .data(missing - count)
      return false
    }
    let byte = bytes[index]
    index += 1
    if byte != ASCII.lineFeed {
      line.append(byte)
      if line.count > limits.chunkLineBytes { throw malformed }
      // A line end must follow the chunk's data. Report any other byte immediately.
      if state == .dataEnd, line != [ASCII.carriageReturn] { throw malformed }
      return false
    }
    if line.last == ASCII.carriageReturn { line.removeLast() } else { note(.bareLineFeed) }
    defer { line = [] }
    switch state {
    case .sizeLine: try takeSizeLine(body.count)
    case .dataEnd: state = .sizeLine
    case .trailer: return try takeTrailerLine()
    case .data: break
    }
    return false
  }

  private mutating func takeSizeLine(_ received: Int) throws(ResponseFault) {
    let written = line.prefix { $0 != UInt8(ascii: ";") }
    let digits = written.filter { !$0.isWhitespace }
    guard !digits.isEmpty, digits.allSatisfy({ $0.hexValue != nil }),
      // White space among the digits is invalid.
      written.drop(while: \.isWhitespace).prefix(digits.count).elementsEqual(digits)
    else { throw malformed }
    if digits.count != written.count {
      note(.spaceInChunkSize(visibleText(line, limit: Self.shownBytes)))
    }
    var size = 0
    for digit in digits {
      // Refuse the size before it can overflow.
      size = size * 16 + Int(digit.hexValue ?? 0)
      if size > limits.bodyBytes - received { throw .bodyTooLarge(limit: limits.bodyBytes) }
    }
    chunks += 1
    if chunks > limits.chunks { throw .tooManyChunks(limit: limits.chunks) }
    state = size == 0 ? .trailer : .data(size)
  }

  /// Checks and drops a line of the trailer section. Returns true for the empty line that ends the
  /// section.
  private mutating func takeTrailerLine() throws(ResponseFault) -> Bool {
    if line.isEmpty { return true }
    trailerLines += 1
    if trailerLines > limits.fieldLines { throw .tooManyFields(limit: limits.fieldLines) }
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    if name.isEmpty || name.count == line.count
      || !name.allSatisfy({ ByteClass.token.contains($0) })
    {
      note(.malformedTrailer(visibleText(line, limit: Self.shownBytes)))
    }
    return false
  }

  private var malformed: ResponseFault {
    .malformedChunk(visibleText(line, limit: Self.shownBytes))
  }

  private mutating func note(_ flaw: ResponseFlaw) {
    if flaws.count < 8, !flaws.contains(flaw) { flaws.append(flaw) }
  }
}
