internal import Bytes

// These functions find tokens in malformed text, for the diagnosis. The tokens need not follow the
// grammar.

func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }

/// Whether a byte is an ASCII letter or digit, `_`, `$`, or beyond ASCII.
func isWordByte(_ byte: UInt8) -> Bool {
  byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_")
    || byte == UInt8(ascii: "$") || byte >= 0x80
}

/// Whether an ASCII byte can be part of a text that was meant as a number.
func isNumberByte(_ byte: UInt8) -> Bool {
  byte < 0x80 && (isWordByte(byte) || isSign(byte) || byte == UInt8(ascii: "."))
}

/// The range of the word that begins at `start`. A word may contain dots and hyphens, because keys
/// and host names may contain them.
func wordRange(_ bytes: Span<UInt8>, _ start: Int) -> Range<Int> {
  var end = start
  while end < bytes.count {
    let byte = bytes[end]
    if byte >= 0x80 {
      let length = utf8Length(bytes, at: end)
      if length == 0 || isInvisible(scalar(bytes, at: end)) { break }
      end += length
    } else if isWordByte(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") {
      end += 1
    } else {
      break
    }
  }
  return start..<end
}

/// The error kind of a literal from another language, such as `None` or `NaN`; nil for other words.
func wordKind(_ bytes: Span<UInt8>, _ range: Range<Int>) -> SyntaxError.Kind? {
  for word in ["nan", "infinity", "inf"] where isWord(bytes, range, word) { return .nanOrInfinity }
  for word in ["true", "false", "null", "none", "nil", "undefined", "yes", "no"]
  where isWord(bytes, range, word) {
    return .wrongLiteral
  }
  return nil
}

private func isWord(_ bytes: Span<UInt8>, _ range: Range<Int>, _ word: String) -> Bool {
  guard range.count == word.utf8.count else { return false }
  var index = range.lowerBound
  for byte in word.utf8 {
    if bytes[index] | 0x20 != byte { return false }
    index += 1
  }
  return true
}

/// Whether `bytes` contains `text` at `index`.
func has(_ bytes: Span<UInt8>, _ index: Int, _ text: String) -> Bool {
  guard index + text.utf8.count <= bytes.count else { return false }
  var position = index
  for byte in text.utf8 {
    if bytes[position] != byte { return false }
    position += 1
  }
  return true
}

/// The range from the quote at `index` to the next quote of the same kind on this line. If the line
/// has no such quote, the range ends with the word after the first quote.
func quotedRange(_ bytes: Span<UInt8>, _ index: Int) -> Range<Int> {
  let line = endOfLine(bytes, index)
  var end = index + 1
  while end < line {
    if bytes[end] == bytes[index] { return index..<end + 1 }
    end += 1
  }
  return index..<max(wordRange(bytes, index + 1).upperBound, index + 1)
}

/// The bytes of the character at `index`.
func characterRange(_ bytes: Span<UInt8>, _ index: Int) -> Range<Int> {
  index..<min(index + max(utf8Length(bytes, at: index), 1), bytes.count)
}

/// The index after the text of the line that contains `index`. Trailing white space is not part of
/// this text.
func endOfLine(_ bytes: Span<UInt8>, _ index: Int) -> Int {
  var end = index
  while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
  while end > index + 1, isWhiteSpace(bytes[end - 1]) { end -= 1 }
  return end
}

/// The index after the last byte before `index` that is not white space.
func endOfToken(_ bytes: Span<UInt8>, before index: Int) -> Int {
  var end = index
  while end > 0, isWhiteSpace(bytes[end - 1]) { end -= 1 }
  return end
}

/// The last byte before `index` that is not white space.
func lastTokenByte(_ bytes: Span<UInt8>, before index: Int) -> Range<Int> {
  let end = endOfToken(bytes, before: index)
  return max(end - 1, 0)..<end
}

func closes(_ closing: UInt8, _ opening: UInt8) -> Bool {
  opening == UInt8(ascii: "{") ? closing == UInt8(ascii: "}") : closing == UInt8(ascii: "]")
}

/// Whether a character is one of ‘ ’ ‚ ‛ “ ” „ ‟ « »
func isCurlyQuote(_ scalar: UInt32) -> Bool {
  (0x2018...0x201F).contains(scalar) || scalar == 0xAB || scalar == 0xBB
}

/// Whether a character is one of “ ” „ ‟
func isCurlyDoubleQuote(_ scalar: UInt32) -> Bool { (0x201C...0x201F).contains(scalar) }

/// Whether editors show nothing for a character: a control character, a space other than U+0020, or
/// a format character.
func isInvisible(_ value: UInt32) -> Bool {
  guard let category = Unicode.Scalar(value)?.properties.generalCategory else { return false }
  switch category {
  case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: return true
  default: return false
  }
}
