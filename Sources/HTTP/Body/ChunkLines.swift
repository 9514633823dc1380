internal import Bytes

/// Reads the lines between chunks, byte by byte: chunk sizes with their extensions, and the trailer
/// section (RFC 9112 section 7.1).
///
///     chunk-size-line = 1*HEXDIG *( ";" token [ "=" ( token / quoted-string ) ] ) CRLF
///     trailer-section = *( token ":" OWS field-value OWS CRLF ) CRLF
///
/// White space around `;` and `=` is refused, although an older grammar allowed it. Real clients do
/// not send such white space. Servers that skip white space in different ways would disagree about
/// where a chunk begins.
struct ChunkLines: Sendable {
  private var state = State.sizeStart
  private var size = 0
  /// The length in bytes of the current chunk-size line, or of the trailer section so far.
  private var length = 0
  private var trailerLines = 0

  private enum State: UInt8 {
    case sizeStart, size
    case extensionNameStart, extensionName
    case extensionValueStart, extensionValue
    case quoted, quotedPair, afterQuoted
    case sizeLineFeed
    case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed
  }

  /// Consumes a byte of a chunk-size line.
  ///
  /// - Returns: The size if the line is complete, otherwise nil.
  mutating func takeSizeByte(
    _ byte: UInt8, _ limits: RequestLimits
  ) throws(RequestFault) -> Int? {
    if state == .sizeLineFeed {
      guard byte == ASCII.lineFeed else { throw .malformedChunk }
      let result = size
      size = 0
      length = 0
      state = result == 0 ? .trailerStart : .sizeStart
      return result
    }
    if byte == ASCII.carriageReturn {
      try endSizeLine()
      return nil
    }
    length &+= 1
    if length > limits.chunkLineBytes { throw .chunkLineTooLong }
    switch state {
    case .sizeStart, .size: try takeDigit(byte, limits)
    default: try takeExtensionByte(byte)
    }
    return nil
  }

  private mutating func endSizeLine() throws(RequestFault) {
    switch state {
    case .size, .extensionName, .extensionValue, .afterQuoted: state = .sizeLineFeed
    default: throw .malformedChunk
    }
  }

  private mutating func takeDigit(
    _ byte: UInt8, _ limits: RequestLimits
  ) throws(RequestFault) {
    if let digit = byte.hexValue {
      // Refuse the size before it can overflow (RFC 9112 section 7.1).
      size = size &* 16 &+ Int(digit)
      if size > limits.bodyBytes { throw .bodyTooLarge }
      state = .size
    } else if state == .size && byte == UInt8(ascii: ";") {
      state = .extensionNameStart
    } else {
      throw .malformedChunk
    }
  }

  private mutating func takeExtensionByte(_ byte: UInt8) throws(RequestFault) {
    let isToken = ByteClass.token.contains(byte)
    switch (state, byte) {
    case (.extensionNameStart, _) where isToken, (.extensionName, _) where isToken:
      state = .extensionName
    case (.extensionName, UInt8(ascii: "=")):
      state = .extensionValueStart
    case (.extensionValueStart, UInt8(ascii: "\"")):
      state = .quoted
    case (.extensionValueStart, _) where isToken, (.extensionValue, _) where isToken:
      state = .extensionValue
    case (.extensionName, UInt8(ascii: ";")), (.extensionValue, UInt8(ascii: ";")),
      (.afterQuoted, UInt8(ascii: ";")):
      state = .extensionNameStart
    case (.quoted, UInt8(ascii: "\"")):
      state = .afterQuoted
    case (.quoted, UInt8(ascii: "\\")):
      state = .quotedPair
    // A quoted-string may contain any byte of a field value (RFC 9110 section 5.6.4).
    case (.quoted, _) where ByteClass.fieldValue.contains(byte),
      (.quotedPair, _) where ByteClass.fieldValue.contains(byte):
      state = .quoted
    default:
      throw .malformedChunk
    }
  }

  /// Consumes a byte of the trailer section. All trailer fields are dropped, because no trailer
  /// field may change the framing of the message (RFC 9110 section 6.5.1).
  ///
  /// - Returns: Whether the section is complete.
  mutating func takeTrailerByte(
    _ byte: UInt8, _ limits: RequestLimits
  ) throws(RequestFault) -> Bool {
    switch state {
    case .lastLineFeed:
      guard byte == ASCII.lineFeed else { throw .malformedTrailer }
      return true
    case .trailerStart where byte == ASCII.carriageReturn:
      state = .lastLineFeed
      return false
    case .trailerLineFeed:
      guard byte == ASCII.lineFeed else { throw .malformedTrailer }
      trailerLines &+= 1
      if trailerLines > limits.fieldLines { throw .trailerTooLarge }
      state = .trailerStart
    case .trailerStart where ByteClass.token.contains(byte),
      .trailerName where ByteClass.token.contains(byte):
      state = .trailerName
    case .trailerName where byte == UInt8(ascii: ":"):
      state = .trailerValue
    case .trailerValue where byte == ASCII.carriageReturn:
      state = .trailerLineFeed
    case .trailerValue where ByteClass.fieldValue.contains(byte):
      break
    default:
      throw .malformedTrailer
    }
    length &+= 1
    if length > limits.trailerBytes { throw .trailerTooLarge }
    return false
  }
}
