/// The length of the well-formed UTF-8 sequence at `index` (RFC 3629 section 4), or 0.
///
/// Overlong forms, surrogates, and anything above U+10FFFF are not well-formed.
@inline(__always)
func utf8Length(_ bytes: Span<UInt8>, at index: Int) -> Int {
  let lead = bytes[index]
  if lead < 0x80 { return 1 }
  if lead < 0xC2 || lead > 0xF4 { return 0 }
  let length = expectedUTF8Length(lead)
  guard bytes.count - index >= length else { return 0 }
  // The second byte alone reveals overlong forms, surrogates, and values beyond the maximum.
  let second = bytes[index + 1]
  let lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
  let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
  guard second >= lowest && second <= highest else { return 0 }
  if length > 2 && bytes[index + 2] & 0xC0 != 0x80 { return 0 }
  if length > 3 && bytes[index + 3] & 0xC0 != 0x80 { return 0 }
  return length
}

/// The length that the first byte announces, for a byte beyond ASCII.
@inline(__always)
private func expectedUTF8Length(_ lead: UInt8) -> Int {
  lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
}

/// The bytes of an ill-formed sequence at `index`: its lead byte and continuation bytes.
func illFormedRange(_ bytes: Span<UInt8>, at index: Int) -> Range<Int> {
  let limit = min(index + expectedUTF8Length(bytes[index]), bytes.count)
  var end = index + 1
  while end < limit && bytes[end] & 0xC0 == 0x80 { end += 1 }
  return index..<end
}

/// The scalar of a well-formed sequence at `index`.
func scalar(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
  let length = utf8Length(bytes, at: index)
  guard length > 1 else { return UInt32(bytes[index]) }
  var value = UInt32(bytes[index]) & (0x7F >> UInt32(length))
  for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
  return value
}
