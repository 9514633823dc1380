internal import Bytes
internal import Diagnostics

// Decodes strings that the reader has already accepted (RFC 8259 section 7).

func decodedString(_ node: Node, of document: Document) -> String {
  let inside = Int(node.start) + 1..<Int(node.end) - 1
  guard node.hasEscapes else {
    return String(decoding: document.source.bytes[inside], as: UTF8.self)
  }
  var decoded: [UInt8] = []
  decoded.reserveCapacity(inside.count)
  let bytes = document.source.bytes
  forEachByte(of: bytes.span, in: inside) { byte, _ in decoded.append(byte) }
  return String(decoding: decoded, as: UTF8.self)
}

/// Returns whether a string consists of exactly the scalars of `text`. Unicode normalization is not
/// applied.
func stringEquals(_ node: Node, of document: Document, _ text: String) -> Bool {
  let bytes = document.source.bytes
  let inside = Int(node.start) + 1..<Int(node.end) - 1
  if !node.hasEscapes {
    guard inside.count == text.utf8.count else { return false }
    let (start, utf8) = (inside.lowerBound, text.utf8.span)
    for offset in utf8.indices where bytes[start + offset] != utf8[offset] { return false }
    return true
  }
  var rest = text.utf8.makeIterator()
  var equal = true
  forEachByte(of: bytes.span, in: inside) { byte, _ in if rest.next() != byte { equal = false } }
  return equal && rest.next() == nil
}

/// Converts a range of a string's decoded text to a range of the source. The two ranges differ if
/// the string has escapes, because an escape is longer than the character that it stands for.
package func writtenRange(
  of part: Range<Int>, in string: Range<Int>, _ bytes: [UInt8]
) -> Range<Int> {
  var (start, end, count) = (string.upperBound - 1, string.upperBound - 1, 0)
  forEachByte(of: bytes.span, in: string.lowerBound + 1..<end) { _, index in
    if count == part.lowerBound { start = index }
    if count == part.upperBound { end = index }
    count += 1
  }
  return start..<end
}

/// Calls `body` with each UTF-8 byte of a string's decoded text, and the byte's place in the
/// source.
private func forEachByte(
  of bytes: Span<UInt8>, in range: Range<Int>, _ body: (UInt8, Int) -> Void
) {
  var index = range.lowerBound
  while index < range.upperBound {
    let byte = bytes[index]
    if byte != UInt8(ascii: "\\") {
      body(byte, index)
      index += 1
      continue
    }
    switch bytes[index + 1] {
    case UInt8(ascii: "b"): body(0x08, index)
    case UInt8(ascii: "f"): body(0x0C, index)
    case UInt8(ascii: "n"): body(0x0A, index)
    case UInt8(ascii: "r"): body(0x0D, index)
    case UInt8(ascii: "t"): body(0x09, index)
    case UInt8(ascii: "u"):
      let (scalar, end) = unicodeEscape(bytes, at: index, before: range.upperBound)
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { body(byte, index) }
      index = end
      continue
    case let other: body(other, index)
    }
    index += 2
  }
}

/// Returns the scalar of an escape `\uXXXX`, or of two such escapes that form a surrogate pair.
/// Also returns the position after the escape or the pair.
private func unicodeEscape(
  _ bytes: Span<UInt8>, at index: Int, before limit: Int
) -> (Unicode.Scalar, end: Int) {
  let first = hexadecimal(bytes, at: index + 2)
  if let scalar = Unicode.Scalar(first) { return (scalar, index + 6) }
  let second = index + 6
  if first < 0xDC00, second + 6 <= limit, bytes[second] == UInt8(ascii: "\\"),
    bytes[second + 1] == UInt8(ascii: "u")
  {
    let low = hexadecimal(bytes, at: second + 2)
    if (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00))
    {
      return (scalar, second + 6)
    }
  }
  return ("\u{FFFD}", index + 6)
}

private func hexadecimal(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
  var value: UInt32 = 0
  for offset in 0..<4 {
    value = value << 4 | UInt32(bytes[index + offset].hexValue ?? 0)
  }
  return value
}

/// Returns the first byte at or after `position` that ends a plain run of a string: a quote, a
/// backslash, a control character or a byte beyond ASCII. If there is no such byte, returns a
/// position at most seven bytes before the end of `bytes`.
///
/// Tests eight bytes at a time: for each kind of byte, a subtraction sets the top bit of every
/// matching byte. A borrow may also set the top bits of later bytes, but only the first marked byte
/// matters.
@inline(__always)
func endOfPlainRun(_ bytes: Span<UInt8>, from position: Int) -> Int {
  var position = position
  while let word = word(bytes, at: position) {
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let hits =
      ((quote &- 0x0101_0101_0101_0101) & ~quote)
      | ((backslash &- 0x0101_0101_0101_0101) & ~backslash)
      | (word &- 0x2020_2020_2020_2020) | word
    let marks = hits & 0x8080_8080_8080_8080
    if marks != 0 { return position &+ marks.trailingZeroBitCount / 8 }
    position &+= 8
  }
  return position
}

/// The length of the UTF-8 sequence at `index`; 0 if the sequence is not well-formed (RFC 3629
/// section 4).
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

/// The length of a UTF-8 sequence, determined from its first byte. The first byte must not be
/// ASCII.
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
