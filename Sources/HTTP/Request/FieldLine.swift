internal import Bytes

/// A field line of a request, as positions in the parsed bytes.
package struct FieldLine: Sendable, Equatable {
  /// The positions where the name and the value begin and end. The value excludes surrounding white
  /// space (RFC 9112 section 5.1).
  package var nameStart: UInt32
  var nameEnd: UInt32
  var valueStart: UInt32
  var valueEnd: UInt32
  package var name: FieldName

  package var nameRange: Range<Int> { Int(nameStart)..<Int(nameEnd) }
  package var valueRange: Range<Int> { Int(valueStart)..<Int(valueEnd) }
}

/// The field names that this server knows; `other` is any other name.
package enum FieldName: UInt8, Sendable, CaseIterable {
  case other
  case host
  case expect
  case ifMatch
  case forwarded
  case connection
  case userAgent
  case ifNoneMatch
  case contentLength
  case acceptEncoding
  case xForwardedFor
  case xForwardedHost
  case transferEncoding
  case ifModifiedSince
  case xForwardedProto
  case ifUnmodifiedSince

  /// Identifies the name from `start` to `end`, a case-insensitive token (RFC 9110 section 5.1).
  ///
  /// A name equals a known name if both have the same length and the same 64-bit words. These words
  /// are the first eight bytes, the last eight bytes and, if the name is longer than 16 bytes, also
  /// the second eight bytes. Together they contain all letters of the name.
  @inline(__always)
  init(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    let count = end &- start
    // Eight bytes can be read here even if the name is the last in the head and has only four
    // letters. At least five bytes follow: a colon, the end of the line and the end of the head.
    guard count >= 4, count <= 19, let first = word(bytes, at: start) else {
      self = .other
      return
    }
    let fold = repeated(0x20)
    if count < 8 {
      // `fold` also changes the bytes after the name. Therefore, shift these bytes out of the word
      // afterwards.
      let shift = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
      self = Self.short(((first | fold) &<< shift) &>> shift)
      return
    }
    let last = word(bytes, at: end &- 8) ?? 0
    let middle = count > 16 ? word(bytes, at: start &+ 8) ?? 0 : 0
    self =
      NameWords(
        count: count, first: first | fold, middle: middle | fold, last: last | fold
      ).name
  }

  @inline(__always)
  private static func short(_ name: UInt64) -> FieldName {
    switch name {
    case Word.host: .host
    case NameWord.expect: .expect
    default: .other
    }
  }

  /// Compares the bytes at `start` with the names that nearly every request contains, each with its
  /// colon. Returns the name that is found and the index after the name, or `other` if none is
  /// found.
  @inline(__always)
  static func frequent(_ bytes: Span<UInt8>, at start: Int) -> (name: FieldName, end: Int) {
    let fold = repeated(0x20)
    // Setting the bits of `fold` maps no other character to a letter. But it maps CR to a hyphen
    // and SUB to a colon, so hyphens and colons are compared without `fold`.
    guard let first = word(bytes, at: start).map({ $0 | fold }) else { return (.other, start) }
    if first & 0xFF_FFFF_FFFF == NameWord.hostAndColon {
      return bytes[start &+ 4] == UInt8(ascii: ":") ? (.host, start &+ 4) : (.other, start)
    }
    switch first {
    case NameWord.userAgent:
      guard let rest = word(bytes, at: start &+ 3), rest | fold == NameWord.userAgentRest,
        bytes[start &+ 4] == UInt8(ascii: "-"), bytes[start &+ 10] == UInt8(ascii: ":")
      else { break }
      return (.userAgent, start &+ 10)
    case NameWord.acceptEncoding:
      guard let rest = word(bytes, at: start &+ 8), rest | fold == NameWord.acceptEncodingRest,
        bytes[start &+ 6] == UInt8(ascii: "-"), bytes[start &+ 15] == UInt8(ascii: ":")
      else { break }
      return (.acceptEncoding, start &+ 15)
    case NameWord.connection:
      guard let rest = word(bytes, at: start &+ 3), rest | fold == NameWord.connectionRest,
        bytes[start &+ 10] == UInt8(ascii: ":")
      else { break }
      return (.connection, start &+ 10)
    default: break
    }
    return (.other, start)
  }
}

private enum NameWord {
  @inline(__always) static var expect: UInt64 { letters("expect") }
  // For each frequent field, two words: the first bytes of its line, at most eight, and the eight
  // bytes that end with the colon. The name `host` needs only one word.
  @inline(__always) static var hostAndColon: UInt64 { letters("host:") }
  @inline(__always) static var userAgent: UInt64 { letters("user-age") }
  @inline(__always) static var userAgentRest: UInt64 { letters("r-agent:") }
  @inline(__always) static var acceptEncoding: UInt64 { letters("accept-e") }
  @inline(__always) static var acceptEncodingRest: UInt64 { letters("ncoding:") }
  @inline(__always) static var connection: UInt64 { letters("connecti") }
  @inline(__always) static var connectionRest: UInt64 { letters("nection:") }
}

/// The words of a name of at least eight bytes. Together they contain all letters of the name.
private struct NameWords {
  let count: Int
  let first: UInt64
  /// The second eight bytes of a name longer than 16 bytes.
  let middle: UInt64
  let last: UInt64

  @inline(__always)
  var name: FieldName {
    switch count {
    case 8: if isIfMatch { return .ifMatch }
    case 9: if isForwarded { return .forwarded }
    case 10:
      if isConnection { return .connection }
      if isUserAgent { return .userAgent }
    case 13: if isIfNoneMatch { return .ifNoneMatch }
    case 14: if isContentLength { return .contentLength }
    case 15:
      if isAcceptEncoding { return .acceptEncoding }
      if isXForwardedFor { return .xForwardedFor }
    case 16: if isXForwardedHost { return .xForwardedHost }
    case 17:
      if isTransferEncoding { return .transferEncoding }
      if isIfModifiedSince { return .ifModifiedSince }
      if isXForwardedProto { return .xForwardedProto }
    case 19: if isIfUnmodifiedSince { return .ifUnmodifiedSince }
    default: break
    }
    return .other
  }

  @inline(__always) private var isIfMatch: Bool { has("if-match") }
  @inline(__always) private var isForwarded: Bool { has("forwarde", "d") }
  @inline(__always) private var isConnection: Bool { has("connecti", "on") }
  @inline(__always) private var isUserAgent: Bool { has("user-age", "nt") }
  @inline(__always) private var isIfNoneMatch: Bool { has("if-none-", "match") }
  @inline(__always) private var isContentLength: Bool { has("content-", "length") }
  @inline(__always) private var isAcceptEncoding: Bool { has("accept-e", "ncoding") }
  @inline(__always) private var isXForwardedFor: Bool { has("x-forwar", "ded-for") }
  @inline(__always) private var isXForwardedHost: Bool { has("x-forwar", "ded-host") }
  @inline(__always) private var isTransferEncoding: Bool { has("transfer", "-encodin", "g") }
  @inline(__always) private var isIfModifiedSince: Bool { has("if-modif", "ied-sinc", "e") }
  @inline(__always) private var isXForwardedProto: Bool { has("x-forwar", "ded-prot", "o") }
  @inline(__always) private var isIfUnmodifiedSince: Bool { has("if-unmod", "ified-si", "nce") }

  /// Returns whether the field name equals a known name. The known name is given in pieces of eight
  /// letters; only the last piece may be shorter.
  @inline(__always)
  private func has(_ first: String, _ second: String = "", _ third: String = "") -> Bool {
    let isLong = !third.isEmpty
    let rest = isLong ? third : second
    let before = letters(isLong ? second : first)
    // The last eight bytes of the name are the end of the piece `before`, followed by `rest`.
    let count = UInt64(truncatingIfNeeded: 8 &* rest.utf8.count)
    let last = count == 0 ? before : before >> count | letters(rest) << (64 &- count)
    return self.first == letters(first) && self.last == last
      && (!isLong || middle == letters(second))
  }
}

/// The set of known fields that occur in a head.
package struct FieldNames: Sendable, Equatable {
  fileprivate(set) var bits: UInt32 = 0

  package init() {}

  package mutating func insert(_ name: FieldName) { bits |= 1 &<< UInt32(name.rawValue) }

  package func contains(_ name: FieldName) -> Bool { bits & 1 &<< UInt32(name.rawValue) != 0 }
}
