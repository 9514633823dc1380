internal import Bytes

// These functions return the faults inside strings.

/// The fault of a backslash at `index` that does not begin an escape sequence.
func diagnoseEscape(_ bytes: Span<UInt8>, _ index: Int, string: Int) -> SyntaxError {
  guard index + 1 < bytes.count else {
    return diagnoseUnclosedString(bytes, string..<bytes.count)
  }
  if bytes[index + 1] == UInt8(ascii: "u") {
    var end = index + 2
    while end < min(index + 6, bytes.count), bytes[end].hexValue != nil { end += 1 }
    if end == bytes.count { return diagnoseUnclosedString(bytes, string..<bytes.count) }
    return SyntaxError(.badUnicodeEscape, index..<end)
  }
  let next = index + 1
  if bytes[next] < 0x20 { return diagnoseControl(bytes, next, string: string) }
  if bytes[next] >= 0x80, utf8Length(bytes, at: next) == 0 {
    return SyntaxError(.invalidUTF8, illFormedRange(bytes, at: next))
  }
  return SyntaxError(.badEscape, index..<next + utf8Length(bytes, at: next))
}

/// The fault of a control character at `index`. If the character is a line end, the closing quote
/// is missing.
func diagnoseControl(_ bytes: Span<UInt8>, _ index: Int, string: Int) -> SyntaxError {
  let byte = bytes[index]
  if byte == 0x0A || byte == 0x0D { return diagnoseUnclosedString(bytes, string..<index) }
  // UTF-16 without a byte order mark may become apparent only in the first string.
  if byte == 0, let error = diagnoseOtherFormat(bytes, index, expected: .text) { return error }
  return SyntaxError(.controlCharacter, index..<index + 1, opening: string)
}

/// The fault of the unclosed string at the beginning of `range`. If the string contains a curly
/// double quote, the author probably meant this quote to close the string.
func diagnoseUnclosedString(_ bytes: Span<UInt8>, _ range: Range<Int>) -> SyntaxError {
  var line = range.lowerBound
  while line < range.upperBound, bytes[line] >= 0x20 {
    if bytes[line] >= 0x80 {
      let length = utf8Length(bytes, at: line)
      if length == 3, isCurlyDoubleQuote(scalar(bytes, at: line)) {
        return SyntaxError(.curlyQuotes, line..<line + 3)
      }
      line += max(length, 1)
    } else {
      line += 1
    }
  }
  return SyntaxError(.unclosedString, range.lowerBound..<line, opening: range.lowerBound)
}
