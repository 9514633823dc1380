internal import Bytes

/// How the content of a request is framed (RFC 9112 section 6.3).
package enum BodyFraming: Sendable, Equatable {
  /// No content.
  case none
  /// Content of this many bytes, at least one. `Int.max` if the declared length does not fit into
  /// `Int`.
  case length(Int)
  /// Chunks, up to the last chunk and its trailer section.
  case chunked
}

/// The fields that control the message itself: Connection, Content-Length, Transfer-Encoding,
/// Expect.
struct ControlFields: Sendable {
  enum Expectation: UInt8 {
    case none, `continue`, unknown
  }

  /// The kinds of transfer codings in all Transfer-Encoding lines read so far.
  enum Codings: UInt8 {
    /// no Transfer-Encoding field
    case none
    /// only codings that this server does not know
    case unknown
    /// only `chunked`
    case chunked
    /// `chunked` after unknown codings
    case chunkedAfterUnknown
  }

  var hasHost = false
  var targetHasHost = false
  private var hasClose = false
  private var hasKeepAlive = false
  private var codings = Codings.none
  private(set) var expectation = Expectation.none
  /// The declared length of the content; -1 if the request has no Content-Length field.
  private var length = -1

  /// Connection = #connection-option (RFC 9110 section 7.6.1). A request may split the list across
  /// several Connection lines.
  mutating func takeConnection(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    var members = ListMembers(from: start, to: end)
    while let member = members.next(bytes) {
      switch member.count {
      case 5 where foldedWord(bytes, at: member.start, count: 5) == Word.close:
        hasClose = true
      case 10
      where foldedWord(bytes, at: member.start, count: 8) == Word.keepAliveHead
        && foldedWord(bytes, at: member.start &+ 8, count: 2) == Word.keepAliveTail:
        hasKeepAlive = true
      default: break
      }
    }
  }

  /// Content-Length = 1*DIGIT (RFC 9110 section 8.6). The parser refuses a list of equal lengths
  /// and a repeated field, as the RFC allows, because both show that a client or a proxy is faulty.
  /// It also refuses a length that does not fit into an integer, because other servers may read
  /// such a length differently.
  mutating func takeLength(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) {
    if length >= 0 { throw .repeatedLength }
    guard start < end else { throw .malformedLength }
    var value = 0
    var index = start
    while index < end {
      let byte = bytes[index]
      guard byte.isDigit else { throw .malformedLength }
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isStillTooLarge) = product.addingReportingOverflow(Int(byte &- UInt8(ascii: "0")))
      if isTooLarge || isStillTooLarge { throw .malformedLength }
      value = sum
      index &+= 1
    }
    length = value
  }

  /// Transfer-Encoding = #transfer-coding (RFC 9112 section 6.1). A request may split the list
  /// across several Transfer-Encoding lines.
  ///
  /// The parser is stricter than the list grammar: it refuses an empty member, and `chunked` with a
  /// parameter. If this server accepted such a list, it might read chunks where another server
  /// reads content without chunks.
  mutating func takeCodings(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(RequestFault) {
    guard start < end else { throw .malformedTransferEncoding }
    var members = ListMembers(from: start, to: end)
    while let member = members.nextOrEmpty(bytes) {
      // Nothing may follow `chunked`.
      guard codings == .none || codings == .unknown else { throw .malformedTransferEncoding }
      if member.count == 7, foldedWord(bytes, at: member.start, count: 7) == Word.chunked {
        codings = codings == .none ? .chunked : .chunkedAfterUnknown
      } else {
        let tokenEnd = skipToken(bytes, from: member.start, to: member.end)
        guard tokenEnd > member.start else { throw .malformedTransferEncoding }
        let isChunked =
          tokenEnd &- member.start == 7
          && foldedWord(bytes, at: member.start, count: 7) == Word.chunked
        if isChunked { throw .malformedTransferEncoding }
        codings = .unknown
      }
    }
  }

  /// Expect = #expectation. The only defined expectation is `100-continue` (RFC 9110 section
  /// 10.1.1).
  mutating func takeExpectation(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    var members = ListMembers(from: start, to: end)
    while let member = members.next(bytes) {
      let isContinue =
        member.count == 12
        && foldedWord(bytes, at: member.start, count: 8) == Word.continueHead
        && foldedWord(bytes, at: member.start &+ 8, count: 4) == Word.continueTail
      if !isContinue {
        expectation = .unknown
      } else if expectation == .none {
        expectation = .continue
      }
    }
  }

  @inline(__always)
  func allowsReuse(minorVersion: UInt8) -> Bool {
    !hasClose && (minorVersion >= 1 || hasKeepAlive)
  }

  /// Returns how the content is framed, according to all the fields that were read (RFC 9112
  /// section 6.3).
  @inline(__always)
  func bodyFraming(minorVersion: UInt8) throws(RequestFault) -> BodyFraming {
    if codings == .none { return length > 0 ? .length(length) : .none }
    // In HTTP/1.0, there are no transfer codings, so a request with Transfer-Encoding has invalid
    // framing (RFC 9112 section 6.1).
    if minorVersion == 0 { throw .transferEncodingInOldVersion }
    if length >= 0 { throw .lengthWithTransferEncoding }
    switch codings {
    case .chunked: return .chunked
    // If `chunked` is not the last coding, it is unknown where the content ends.
    case .unknown, .none: throw .malformedTransferEncoding
    // It is known where the content ends, but the server cannot decode the content (RFC 9112
    // section 6.1).
    case .chunkedAfterUnknown: throw .unknownTransferCoding
    }
  }
}

/// Returns the index after the token that begins at `start`.
@inline(__always)
func skipToken(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
  var index = start
  while index < end, ByteClass.token.contains(bytes[index]) { index &+= 1 }
  return index
}
