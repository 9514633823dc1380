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
  forEachByte(of: bytes.span, in: inside) { decoded.append($0) }
  return String(decoding: decoded, as: UTF8.self)
}

/// Compares keys scalar by scalar, without Unicode normalization.
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
  forEachByte(of: bytes.span, in: inside) { if rest.next() != $0 { equal = false } }
  return equal && rest.next() == nil
}

/// Calls `body` with the UTF-8 bytes of a string's text.
private func forEachByte(
  of bytes: Span<UInt8>, in range: Range<Int>, _ body: (UInt8) -> Void
) {
  var index = range.lowerBound
  while index < range.upperBound {
    let byte = bytes[index]
    if byte != UInt8(ascii: "\\") {
      body(byte)
      index += 1
      continue
    }
    switch bytes[index + 1] {
    case UInt8(ascii: "b"): body(0x08)
    case UInt8(ascii: "f"): body(0x0C)
    case UInt8(ascii: "n"): body(0x0A)
    case UInt8(ascii: "r"): body(0x0D)
    case UInt8(ascii: "t"): body(0x09)
    case UInt8(ascii: "u"):
      let (scalar, end) = unicodeEscape(bytes, at: index, before: range.upperBound)
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { body(byte) }
      index = end
      continue
    case let other: body(other)
    }
    index += 2
  }
}

/// The scalar of `\uXXXX`, or of two that form a surrogate pair, and the end of the escape.
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
