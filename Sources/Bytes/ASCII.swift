/// Bytes with special meaning in protocols and texts.
///
/// Without `@usableFromInline` on the type, other modules would call its members instead of
/// inlining them.
@usableFromInline
package enum ASCII {
  @inlinable @inline(__always) package static var horizontalTab: UInt8 { 0x09 }
  @inlinable @inline(__always) package static var lineFeed: UInt8 { 0x0A }
  @inlinable @inline(__always) package static var carriageReturn: UInt8 { 0x0D }
  @inlinable @inline(__always) package static var space: UInt8 { 0x20 }
  @inlinable @inline(__always) package static var delete: UInt8 { 0x7F }
}

extension UInt8 {
  /// Whether the byte is SP or HTAB, the bytes of optional white space (OWS, RFC 9110 section
  /// 5.6.3).
  @inlinable @inline(__always)
  package var isWhitespace: Bool { self == 0x20 || self == 0x09 }

  @inlinable @inline(__always)
  package var isDigit: Bool { self &- 0x30 < 10 }

  /// Whether the byte is an ASCII letter.
  @inlinable @inline(__always)
  package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// Whether the byte is in the base64url alphabet (RFC 4648 section 5).
  package var isBase64URLDigit: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
}

extension Unicode.Scalar {
  /// Whether this is a control character: the general category Cc, which Unicode never changes. A
  /// lookup of the category in the standard library takes much longer.
  package var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }

  /// Whether the character is invisible in a text: a control character, or a character that has no
  /// shape, changes the direction of the text, or ends a line (Unicode Standard Annex 44,
  /// Default_Ignorable_Code_Point; Unicode Technical Report 36).
  package var isInvisible: Bool {
    if value < 0xAD { return isControl }
    return switch properties.generalCategory {
    case .format, .lineSeparator, .paragraphSeparator: true
    default: properties.isDefaultIgnorableCodePoint
    }
  }
}
