internal import Bytes

/// A host and a port: `uri-host [ ":" port ]` (RFC 9110 section 7.2, RFC 3986 section 3.2).
///
/// Accepts only hosts that a site can have: an IPv6 address in brackets, or a name whose labels
/// consist of letters, digits, `-`, `_` and `~`. An IPv4 address also has the form of such a name.
/// The generic grammar also allows percent-encoded bytes and sub-delims in names, empty labels, and
/// future address forms. The parser refuses all of these, because no DNS name contains them (RFC
/// 3986 section 3.2.2). A comma in the host also shows that something has joined two Host fields.
struct Authority {
  /// The host without brackets and without a final dot, because `a.example.` and `a.example` are
  /// the same host.
  var host: Range<Int>
  /// The port. Nil if the authority has no colon, or if nothing follows the colon (RFC 3986 section
  /// 3.2.3).
  var port: UInt16?

  /// The maximum length of a name in the DNS, without its last dot (RFC 1035 section 3.1).
  private static let longestName = 253
  private static let longestLabel = 63

  /// Parses the authority that fills `start..<end`. Nil if the bytes are not an authority, or if
  /// the host is empty (RFC 9110 section 4.2.1).
  init?(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    var index = start
    if index < end, bytes[index] == UInt8(ascii: "[") {
      index &+= 1
      while index < end, bytes[index] != UInt8(ascii: "]") { index &+= 1 }
      guard index < end, case .v6 = IPAddress(bytes.extracting((start &+ 1)..<index)) else {
        return nil
      }
      host = start &+ 1..<index
      index &+= 1
    } else {
      guard let nameEnd = Self.skipName(bytes, from: start, to: end) else { return nil }
      index = nameEnd
      let lastDot = bytes[index &- 1] == UInt8(ascii: ".")
      host = start..<(lastDot ? index &- 1 : index)
      guard host.count <= Self.longestName else { return nil }
    }
    if index == end { return }
    guard bytes[index] == UInt8(ascii: ":") else { return nil }
    index &+= 1
    if index == end { return }
    guard end &- index <= 5 else { return nil }
    var number: UInt32 = 0
    while index < end {
      let byte = bytes[index]
      guard byte.isDigit else { return nil }
      number = number &* 10 &+ UInt32(byte &- UInt8(ascii: "0"))
      index &+= 1
    }
    guard number <= 65535 else { return nil }
    port = UInt16(truncatingIfNeeded: number)
  }

  /// Returns the index after a name: `end`, or the index of the colon before the port. Nil if no
  /// valid name begins at `start`.
  @inline(__always)
  private static func skipName(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    var index = start
    var labelStart = start
    while true {
      while index < end, ByteClass.label.contains(bytes[index]) { index &+= 1 }
      let length = index &- labelStart
      guard length <= longestLabel else { return nil }
      if index == end || bytes[index] != UInt8(ascii: ".") {
        // No label may be empty, except that a complete name may end with a dot.
        return length > 0 || labelStart > start ? index : nil
      }
      guard length > 0 else { return nil }
      index &+= 1
      labelStart = index
    }
  }
}
