/// Whether the path at `range` is `literal`, a path without percent-encoding.
///
/// Percent-encoded unreserved bytes are the bytes they stand for (RFC 3986 section 6.2.2.2);
/// nothing else is normalised: `%2F` is no slash, case matters, dot segments stay.
package func pathEquals(_ bytes: Span<UInt8>, _ range: Range<Int>, _ literal: [UInt8]) -> Bool {
  let literal = literal.span
  let length = literal.count
  var index = range.lowerBound
  let end = range.upperBound
  if end &- index < length { return false }
  var offset = 0
  while offset < length {
    if length &- offset >= 8, end &- index >= 8,
      word(bytes, at: index) == word(literal, at: offset)
    {
      index &+= 8
      offset &+= 8
      continue
    }
    guard index < end else { return false }
    var byte = bytes[index]
    index &+= 1
    if byte == UInt8(ascii: "%") {
      guard end &- index >= 2, let high = bytes[index].hexValue,
        let low = bytes[index &+ 1].hexValue
      else { return false }
      byte = high &<< 4 | low
      index &+= 2
      guard ByteClass.unreserved.contains(byte) else { return false }
    }
    if byte != literal[offset] { return false }
    offset &+= 1
  }
  return index == end
}
