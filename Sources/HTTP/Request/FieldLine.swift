/// A field line of a request, as positions in the bytes that were parsed.
package struct FieldLine: Sendable, Equatable {
  /// Where the name begins and how the name and the value lie; a value's surrounding white space
  /// is not in it (RFC 9112 section 5.1).
  package var nameStart: UInt32
  package var nameEnd: UInt32
  package var valueStart: UInt32
  package var valueEnd: UInt32
  package var name: FieldName

  package var nameRange: Range<Int> { Int(nameStart)..<Int(nameEnd) }
  package var valueRange: Range<Int> { Int(valueStart)..<Int(valueEnd) }
}

/// The field names that mean something here; any other is `other`.
package enum FieldName: UInt8, Sendable, CaseIterable {
  case other
  case host
  case range
  case expect
  case upgrade
  case referer
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

  /// The name at `start` up to `end`, a token, in any case (RFC 9110 section 5.1).
  ///
  /// A name is told by its length and by words of it that together cover all its letters: the
  /// first eight, the last eight, and for the longest the eight after the first.
  @inline(__always)
  init(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    let count = end &- start
    // Even the shortest known name has eight bytes from its first one on: its colon, the end of
    // its line and of the head are among them.
    guard count >= 4, count <= 19, let first = word(bytes, at: start) else {
      self = .other
      return
    }
    let fold: UInt64 = 0x2020_2020_2020_2020
    if count < 8 {
      // The fold covers what follows the name, too, so that comes off with it.
      let shift = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
      self = Self.short(((first | fold) &<< shift) &>> shift)
      return
    }
    let last = word(bytes, at: end &- 8) ?? 0
    let middle = count > 16 ? word(bytes, at: start &+ 8) ?? 0 : 0
    self = Self.long(count, first | fold, middle | fold, last | fold)
  }

  /// The name of the field line at `start`, its colon included, when it is one that nearly every
  /// request has, and where the name ends; else `other`.
  @inline(__always)
  static func frequent(_ bytes: Span<UInt8>, at start: Int) -> (name: FieldName, end: Int) {
    let fold: UInt64 = 0x2020_2020_2020_2020
    // Letters fold from letters alone, but CR folds to a hyphen and SUB to a colon: those two are
    // looked at as they are.
    guard let first = word(bytes, at: start).map({ $0 | fold }) else { return (.other, start) }
    if first & 0xFF_FFFF_FFFF == 0x3A_7473_6F68 {
      return bytes[start &+ 4] == UInt8(ascii: ":") ? (.host, start &+ 4) : (.other, start)
    }
    switch first {
    case 0x6567_612D_7265_7375:
      // user-agent:
      guard let rest = word(bytes, at: start &+ 3), rest | fold == 0x3A74_6E65_6761_2D72,
        bytes[start &+ 4] == UInt8(ascii: "-"), bytes[start &+ 10] == UInt8(ascii: ":")
      else { break }
      return (.userAgent, start &+ 10)
    case 0x652D_7470_6563_6361:
      // accept-encoding:
      guard let rest = word(bytes, at: start &+ 8), rest | fold == 0x3A67_6E69_646F_636E,
        bytes[start &+ 6] == UInt8(ascii: "-"), bytes[start &+ 15] == UInt8(ascii: ":")
      else { break }
      return (.acceptEncoding, start &+ 15)
    case 0x6974_6365_6E6E_6F63:
      // connection:
      guard let rest = word(bytes, at: start &+ 3), rest | fold == 0x3A6E_6F69_7463_656E,
        bytes[start &+ 10] == UInt8(ascii: ":")
      else { break }
      return (.connection, start &+ 10)
    default: break
    }
    return (.other, start)
  }

  @inline(__always)
  private static func short(_ name: UInt64) -> FieldName {
    switch name {
    case 0x7473_6F68: .host
    case 0x65_676E_6172: .range
    case 0x7463_6570_7865: .expect
    case 0x65_6461_7267_7075: .upgrade
    case 0x72_6572_6566_6572: .referer
    default: .other
    }
  }

  @inline(__always)
  private static func long(
    _ count: Int, _ first: UInt64, _ middle: UInt64, _ last: UInt64
  ) -> FieldName {
    switch count {
    case 8:
      if first == 0x6863_7461_6D2D_6669 { return .ifMatch }
    case 9:
      if first == 0x6564_7261_7772_6F66 && last == 0x6465_6472_6177_726F { return .forwarded }
    case 10:
      if first == 0x6974_6365_6E6E_6F63 && last == 0x6E6F_6974_6365_6E6E { return .connection }
      if first == 0x6567_612D_7265_7375 && last == 0x746E_6567_612D_7265 { return .userAgent }
    case 13:
      if first == 0x2D65_6E6F_6E2D_6669 && last == 0x6863_7461_6D2D_656E { return .ifNoneMatch }
    case 14:
      if first == 0x2D74_6E65_746E_6F63 && last == 0x6874_676E_656C_2D74 { return .contentLength }
    case 15:
      if first == 0x652D_7470_6563_6361 && last == 0x676E_6964_6F63_6E65 { return .acceptEncoding }
      if first == 0x7261_7772_6F66_2D78 && last == 0x726F_662D_6465_6472 { return .xForwardedFor }
    case 16:
      if first == 0x7261_7772_6F66_2D78 && last == 0x7473_6F68_2D64_6564 { return .xForwardedHost }
    case 17:
      if first == 0x7265_6673_6E61_7274 && middle == 0x6E69_646F_636E_652D
        && last == 0x676E_6964_6F63_6E65
      {
        return .transferEncoding
      }
      if first == 0x6669_646F_6D2D_6669 && middle == 0x636E_6973_2D64_6569
        && last == 0x6563_6E69_732D_6465
      {
        return .ifModifiedSince
      }
      if first == 0x7261_7772_6F66_2D78 && middle == 0x746F_7270_2D64_6564
        && last == 0x6F74_6F72_702D_6465
      {
        return .xForwardedProto
      }
    case 19:
      if first == 0x646F_6D6E_752D_6669 && middle == 0x6973_2D64_6569_6669
        && last == 0x6563_6E69_732D_6465
      {
        return .ifUnmodifiedSince
      }
    default: break
    }
    return .other
  }
}

/// Which of the known fields a head has.
package struct FieldNames: Sendable, Equatable {
  fileprivate(set) var bits: UInt32 = 0

  package init() {}

  package mutating func insert(_ name: FieldName) { bits |= 1 &<< UInt32(name.rawValue) }

  package func contains(_ name: FieldName) -> Bool { bits & 1 &<< UInt32(name.rawValue) != 0 }
}
