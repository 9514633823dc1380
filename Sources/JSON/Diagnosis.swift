internal import Bytes

// These functions infer the author's probable mistake from the position at which the text breaks
// the grammar. They run once for each rejected text, so their speed does not matter.

/// Returns the fault of the text at `index`. At this position, the grammar allows only `expected`.
func diagnose(
  _ bytes: Span<UInt8>, _ index: Int, expected: SyntaxError.Expected, opening: Int?
) -> SyntaxError {
  if let error = diagnoseOtherFormat(bytes, index, expected: expected) { return error }
  guard index < bytes.count else { return diagnoseEnd(bytes, opening: opening) }
  if let error = diagnoseForeignCharacter(bytes, index, expected: expected) { return error }
  switch expected {
  case .text, .element, .memberValue:
    return diagnoseValue(bytes, index, expected: expected, opening: opening)
  case .key:
    return diagnoseKey(bytes, index, opening: opening)
  case .colon:
    return diagnoseColon(bytes, index, opening: opening)
  case .commaOrBrace, .commaOrBracket:
    return diagnoseComma(bytes, index, expected: expected, opening: opening)
  case .end:
    if let error = diagnoseGluedToken(bytes, index) { return error }
    if bytes[index] == UInt8(ascii: "}") || bytes[index] == UInt8(ascii: "]") {
      return SyntaxError(.extraClosingBracket, index..<index + 1)
    }
    return diagnosePlainText(bytes)
      ?? SyntaxError(.textAfterEnd, index..<endOfLine(bytes, index))
  }
}

/// The fault of a text that is empty or ends inside an open object or array.
private func diagnoseEnd(_ bytes: Span<UInt8>, opening: Int?) -> SyntaxError {
  guard let opening else {
    return SyntaxError(bytes.isEmpty ? .empty : .onlyWhiteSpace, 0..<bytes.count)
  }
  let kind: SyntaxError.Kind =
    bytes[opening] == UInt8(ascii: "{") ? .unclosedObject : .unclosedArray
  return SyntaxError(kind, bytes.count..<bytes.count, opening: opening)
}

/// The fault of a character that cannot begin any value, key or punctuation.
private func diagnoseForeignCharacter(
  _ bytes: Span<UInt8>, _ index: Int, expected: SyntaxError.Expected
) -> SyntaxError? {
  let byte = bytes[index]
  if byte >= 0x80 {
    let length = utf8Length(bytes, at: index)
    guard length > 0 else { return SyntaxError(.invalidUTF8, illFormedRange(bytes, at: index)) }
    let value = scalar(bytes, at: index)
    let range = index..<index + length
    if isCurlyQuote(value) { return SyntaxError(.curlyQuotes, range) }
    if value == 0x2026 { return SyntaxError(.ellipsis, range) }
    if isInvisible(value) { return SyntaxError(.invisibleCharacter, range) }
    return nil
  }
  if byte < 0x20 || byte == 0x7F { return SyntaxError(.invisibleCharacter, index..<index + 1) }
  if byte == UInt8(ascii: "#") {
    return SyntaxError(.comment, index..<endOfLine(bytes, index))
  }
  if has(bytes, index, "//") { return SyntaxError(.comment, index..<endOfLine(bytes, index)) }
  if has(bytes, index, "/*") {
    var end = index + 2
    while end < bytes.count, !has(bytes, end, "*/") { end += 1 }
    return SyntaxError(.comment, index..<min(end + 2, bytes.count))
  }
  if has(bytes, index, "...") { return SyntaxError(.ellipsis, index..<index + 3) }
  return nil
}

private func diagnoseValue(
  _ bytes: Span<UInt8>, _ index: Int, expected: SyntaxError.Expected, opening: Int?
) -> SyntaxError {
  let one = index..<index + 1
  switch bytes[index] {
  case UInt8(ascii: "]"), UInt8(ascii: "}"):
    guard let opening else { return SyntaxError(.extraClosingBracket, one) }
    guard closes(bytes[index], bytes[opening]) else {
      return SyntaxError(.mismatchedBracket, one, opening: opening)
    }
    guard expected == .element else { return SyntaxError(.missingValue, one) }
    return SyntaxError(.trailingCommaInArray, lastTokenByte(bytes, before: index))
  case UInt8(ascii: ","):
    return SyntaxError(expected == .element ? .extraComma : .missingValue, one)
  case UInt8(ascii: "'"), UInt8(ascii: "`"):
    return SyntaxError(.singleQuotes, quotedRange(bytes, index))
  case UInt8(ascii: "+"), UInt8(ascii: "."):
    return diagnoseNumber(bytes, index)
  case let byte where isWordByte(byte):
    let range = wordRange(bytes, index)
    return SyntaxError(wordKind(bytes, range) ?? .unquotedText, range)
  default:
    return SyntaxError(.unexpectedCharacter, characterRange(bytes, index), expected: expected)
  }
}

private func diagnoseKey(_ bytes: Span<UInt8>, _ index: Int, opening: Int?) -> SyntaxError {
  let one = index..<index + 1
  switch bytes[index] {
  case UInt8(ascii: "}"):
    return SyntaxError(.trailingCommaInObject, lastTokenByte(bytes, before: index))
  case UInt8(ascii: "]"):
    return SyntaxError(.mismatchedBracket, one, opening: opening)
  case UInt8(ascii: ","):
    return SyntaxError(.extraComma, one)
  case UInt8(ascii: ":"):
    return SyntaxError(.missingKey, one)
  case UInt8(ascii: "'"), UInt8(ascii: "`"):
    return SyntaxError(.singleQuotes, quotedRange(bytes, index))
  case let byte where isWordByte(byte) || byte == UInt8(ascii: "-"):
    return SyntaxError(.unquotedKey, wordRange(bytes, index))
  default:
    return SyntaxError(.unexpectedCharacter, characterRange(bytes, index), expected: .key)
  }
}

private func diagnoseColon(_ bytes: Span<UInt8>, _ index: Int, opening: Int?) -> SyntaxError {
  if let error = diagnoseGluedToken(bytes, index) { return error }
  let byte = bytes[index]
  if byte == UInt8(ascii: "]") {
    return SyntaxError(.mismatchedBracket, index..<index + 1, opening: opening)
  }
  if byte == UInt8(ascii: "=") {
    let end = has(bytes, index, "=>") ? index + 2 : index + 1
    return SyntaxError(.missingColon, index..<end)
  }
  let end = endOfToken(bytes, before: index)
  return SyntaxError(.missingColon, end..<end)
}

private func diagnoseComma(
  _ bytes: Span<UInt8>, _ index: Int, expected: SyntaxError.Expected, opening: Int?
) -> SyntaxError {
  if let error = diagnoseGluedToken(bytes, index) { return error }
  let one = index..<index + 1
  switch bytes[index] {
  case UInt8(ascii: "]"), UInt8(ascii: "}"):
    return SyntaxError(.mismatchedBracket, one, opening: opening)
  case UInt8(ascii: ":") where expected == .commaOrBracket:
    return SyntaxError(.colonInArray, one, opening: opening)
  case UInt8(ascii: ";"):
    return SyntaxError(.missingComma, one)
  case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "{"), UInt8(ascii: "["),
    UInt8(ascii: "-"):
    let end = endOfToken(bytes, before: index)
    return SyntaxError(.missingComma, end..<end)
  case let byte where isWordByte(byte):
    let end = endOfToken(bytes, before: index)
    return SyntaxError(.missingComma, end..<end)
  default:
    return SyntaxError(.unexpectedCharacter, characterRange(bytes, index), expected: expected)
  }
}

/// Returns the fault if the byte at `index` directly follows a string, number or word, and was
/// probably meant as a part of that token. Examples are `"say "hi""`, `012`, `1_000` and `truth`.
private func diagnoseGluedToken(_ bytes: Span<UInt8>, _ index: Int) -> SyntaxError? {
  guard index > 0 else { return nil }
  let previous = bytes[index - 1]
  let byte = bytes[index]
  if previous == UInt8(ascii: "\"") {
    return isWordByte(byte) ? SyntaxError(.unescapedQuote, index - 1..<index) : nil
  }
  guard isWordByte(previous), isWordByte(byte) || byte == UInt8(ascii: ".") || isSign(byte) else {
    return nil
  }
  var start = index - 1
  while start > 0, isNumberByte(bytes[start - 1]) { start -= 1 }
  if bytes[start].isDigit || isSign(bytes[start]) { return diagnoseNumber(bytes, start) }
  let range = wordRange(bytes, start)
  return SyntaxError(wordKind(bytes, range) ?? .unquotedText, range)
}

/// Returns the fault of the malformed number at `start`.
func diagnoseNumber(_ bytes: Span<UInt8>, _ start: Int) -> SyntaxError {
  var end = start
  while end < bytes.count, isNumberByte(bytes[end]) { end += 1 }
  if end < bytes.count, bytes[end] >= 0x80, utf8Length(bytes, at: end) == 0 {
    return SyntaxError(.invalidUTF8, illFormedRange(bytes, at: end))
  }
  let range = start..<end
  if let error = diagnoseOtherFormat(bytes, start, expected: .text) { return error }
  let digits = isSign(bytes[start]) ? start + 1 : start
  let first = digits < end ? bytes[digits] : 0
  let second = digits + 1 < end ? bytes[digits + 1] : 0
  if first | 0x20 == UInt8(ascii: "i") || first | 0x20 == UInt8(ascii: "n"),
    wordKind(bytes, digits..<end) == .nanOrInfinity
  {
    return SyntaxError(.nanOrInfinity, range)
  }
  if bytes[start] == UInt8(ascii: "+"), first.isDigit || first == UInt8(ascii: ".") {
    return SyntaxError(.plusSign, range)
  }
  if first == UInt8(ascii: "0"), second.isDigit { return SyntaxError(.leadingZero, range) }
  if first == UInt8(ascii: "."), second.isDigit { return SyntaxError(.bareDecimalPoint, range) }
  var point = digits
  while point < end, bytes[point].isDigit { point += 1 }
  if point < end, point > digits, bytes[point] == UInt8(ascii: "."),
    point + 1 == end || bytes[point + 1] | 0x20 == UInt8(ascii: "e")
  {
    return SyntaxError(.bareDecimalPoint, range)
  }
  return SyntaxError(.malformedNumber, range.isEmpty ? characterRange(bytes, start) : range)
}
