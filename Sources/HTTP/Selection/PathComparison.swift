internal import Bytes

/// Returns whether the path at `range` equals `literal`, a path without percent-encoding.
///
/// A percent-encoded unreserved byte equals the byte itself (RFC 3986 section 6.2.2.2). Nothing
/// else is normalized: `%2F` does not equal a slash, letter case matters, and the segments `.` and
/// `..` are not resolved.
package func pathEquals(_ bytes: Span<UInt8>, _ range: Range<Int>, _ literal: [UInt8]) -> Bool {
  let literal = literal.span
  let length = literal.count
  // Percent-encoding only makes a path longer. So a path that is shorter than `literal` cannot
  // equal `literal`.
  if range.count < length { return false }
  let start = range.lowerBound
  if range.count == length {
    var offset = 0
    while let right = word(literal, at: offset), let left = word(bytes, at: start &+ offset) {
      if left != right { return false }
      if offset == length &- 8 { return true }
      // The last word may overlap the word before it.
      offset = min(offset &+ 8, length &- 8)
    }
    while offset < length {
      if bytes[start &+ offset] != literal[offset] { return false }
      offset &+= 1
    }
    return true
  }
  return encodedPathEquals(bytes, range, literal)
}

/// Whether the path at `range` begins with `literal`. The bytes are compared as in `pathEquals`.
package func pathBegins(_ bytes: Span<UInt8>, _ range: Range<Int>, _ literal: [UInt8]) -> Bool {
  end(of: literal.span, in: bytes, range) != nil
}

private func encodedPathEquals(
  _ bytes: Span<UInt8>, _ range: Range<Int>, _ literal: Span<UInt8>
) -> Bool {
  end(of: literal, in: bytes, range) == range.upperBound
}

/// Returns the index where `literal` ends in the path at `range`; nil if the path does not begin
/// with `literal`.
private func end(
  of literal: Span<UInt8>, in bytes: Span<UInt8>, _ range: Range<Int>
) -> Int? {
  var index = range.lowerBound
  let end = range.upperBound
  var offset = 0
  while index < end, offset < literal.count {
    var byte = bytes[index]
    index &+= 1
    if byte == UInt8(ascii: "%") {
      guard end &- index >= 2, let high = bytes[index].hexValue,
        let low = bytes[index &+ 1].hexValue
      else { return nil }
      byte = high &<< 4 | low
      index &+= 2
      guard ByteClass.unreserved.contains(byte) else { return nil }
    }
    if byte != literal[offset] { return nil }
    offset &+= 1
  }
  return offset == literal.count ? index : nil
}
