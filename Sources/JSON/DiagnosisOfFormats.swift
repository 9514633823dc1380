internal import Bytes

// These functions recognize files in other formats by the beginning of the file.

/// Returns the fault of a file that is not JSON or not UTF-8. `index` is the beginning of the text,
/// or the position of a byte that cannot occur in UTF-8.
func diagnoseOtherFormat(
  _ bytes: Span<UInt8>, _ index: Int, expected: SyntaxError.Expected
) -> SyntaxError? {
  if index == 0, bytes.count > 0, (0..<bytes.count).allSatisfy({ bytes[$0] == 0 }) {
    return SyntaxError(.zeroBytes, 0..<1)
  }
  if index < bytes.count, bytes[index] == 0 || index == 0, isWideEncoding(bytes) {
    return SyntaxError(.wrongEncoding, 0..<min(bytes.count, 4))
  }
  let start = firstTextByte(bytes)
  if has(bytes, start, "{\\rtf") { return SyntaxError(.richText, start..<start + 5) }
  // The quotes are escaped, as in `{\"applinks\": …}`.
  if index < bytes.count, expected == .key || expected == .element, has(bytes, index, "\\\"") {
    return SyntaxError(.escapedTwice, index..<index + 2)
  }
  guard expected == .text, index < bytes.count else { return nil }
  guard index == start else { return nil }
  if has(bytes, 0, "\u{FEFF}") { return SyntaxError(.byteOrderMark, 0..<3) }
  if index == 0, bytes[0] == 0x1F, bytes.count > 1, bytes[1] == 0x8B {
    return SyntaxError(.compressed, 0..<2)
  }
  if has(bytes, index, "PK\u{3}\u{4}") { return SyntaxError(.archive, index..<index + 2) }
  let line = index..<endOfLine(bytes, index)
  if isPictureOrDocument(bytes, index) { return SyntaxError(.otherFile, index..<index + 4) }
  if has(bytes, index, "<<<<<<<") { return SyntaxError(.mergeConflict, line) }
  if has(bytes, index, "version https://git-lfs") { return SyntaxError(.lfsPointer, line) }
  if has(bytes, index, "```") { return SyntaxError(.markdown, line) }
  if isBase64(bytes, line) { return SyntaxError(.base64, line) }
  if javaScriptBeginnings.contains(where: { has(bytes, index, $0) }) {
    return SyntaxError(.javaScript, line)
  }
  if has(bytes, index, "-----BEGIN ") { return SyntaxError(.pem, line) }
  if has(bytes, index, "bplist") { return SyntaxError(.propertyList, index..<index + 6) }
  if bytes[index] == UInt8(ascii: "<") {
    return SyntaxError(isPropertyList(bytes, index) ? .propertyList : .html, line)
  }
  if isDataAddress(bytes, line) { return SyntaxError(.base64, line) }
  if isYAML(bytes, line) { return SyntaxError(.yaml, line) }
  if isCommand(bytes, line) { return SyntaxError(.plainText, line) }
  if isCall(bytes, line) { return SyntaxError(.javaScript, line) }
  return isPlainText(bytes, line) ? SyntaxError(.plainText, line) : nil
}

/// Whether the first bytes are those of a PNG, JPEG, GIF or PDF file.
private func isPictureOrDocument(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
  guard index == 0, bytes.count >= 4 else { return false }
  let start = [bytes[0], bytes[1], bytes[2], bytes[3]]
  return start == [0x89, 0x50, 0x4E, 0x47] || start.starts(with: [0xFF, 0xD8, 0xFF])
    || has(bytes, 0, "GIF8") || has(bytes, 0, "%PDF")
}

/// Whether the line is a data URL such as `data:application/json;base64,…`.
private func isDataAddress(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
  guard has(bytes, line.lowerBound, "data:") else { return false }
  return line.prefix(100).contains { has(bytes, $0, ";base64,") }
}

/// Whether the line is a shell command, for example one that writes a JSON file.
private func isCommand(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
  ["echo ", "cat ", "printf ", "curl ", "#!"].contains { has(bytes, line.lowerBound, $0) }
}

/// Whether the line is a function call in JavaScript, such as `callback({…})`.
private func isCall(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
  let word = wordRange(bytes, line.lowerBound)
  return !word.isEmpty && (has(bytes, word.upperBound, "({") || has(bytes, word.upperBound, "(["))
}

/// Returns the fault of a file that begins with human-readable text, such as `404 page not found`.
func diagnosePlainText(_ bytes: Span<UInt8>) -> SyntaxError? {
  let start = firstTextByte(bytes)
  let line = start..<endOfLine(bytes, start)
  return isPlainText(bytes, line) ? SyntaxError(.plainText, line) : nil
}

private let javaScriptBeginnings = [
  "module.exports", "exports.", "export ", "const ", "let ", "var ", "window.", "function ",
  "import ",
]

/// Whether the line is Base64 and its decoded text begins in one of two ways: with `{` followed by
/// a quote, a space or a line end; or with a line end followed by `{`.
private func isBase64(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
  guard line.count >= 24,
    ["eyI", "eyJ", "eyA", "ewo", "ew0", "Cns"].contains(where: { has(bytes, line.lowerBound, $0) })
  else { return false }
  for index in line {
    let byte = bytes[index]
    guard byte.isDigit || byte.isLetter || "+/=-_".utf8.contains(byte) else { return false }
  }
  return true
}

/// Whether a line is prose: at least two words, some letters, and no JSON punctuation.
private func isPlainText(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
  var (words, letters, wasSpace) = (0, 0, true)
  for index in line {
    let byte = bytes[index]
    guard byte.isLetter || byte.isDigit || " .,!?'-".utf8.contains(byte) else { return false }
    if wasSpace && (byte.isLetter || byte.isDigit) { words += 1 }
    if byte.isLetter { letters += 1 }
    wasSpace = byte == 0x20
  }
  return words >= 2 && letters >= 2
}

/// Whether the text begins with a UTF-16 or UTF-32 byte order mark, or with the NUL bytes of ASCII
/// characters in these encodings.
private func isWideEncoding(_ bytes: Span<UInt8>) -> Bool {
  guard bytes.count >= 2 else { return false }
  switch (bytes[0], bytes[1]) {
  case (0xFF, 0xFE), (0xFE, 0xFF): return true
  case (0, 0):
    guard bytes.count >= 4 else { return false }
    return bytes[2] == 0 ? bytes[3] != 0 : bytes[2] == 0xFE && bytes[3] == 0xFF
  case (0, _), (_, 0): return bytes.count.isMultiple(of: 2)
  default: return false
  }
}

/// The index of the first byte that is not white space.
private func firstTextByte(_ bytes: Span<UInt8>) -> Int {
  var index = 0
  while index < bytes.count, isWhiteSpace(bytes[index]) { index += 1 }
  return index
}

private func isPropertyList(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
  var index = start
  let limit = min(bytes.count, start + 512)
  while index < limit {
    if has(bytes, index, "<plist") || has(bytes, index, "<!DOCTYPE plist") { return true }
    index += 1
  }
  return false
}

/// Whether the first line looks like YAML: `---`, `key: …`, or `- item`.
private func isYAML(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
  if has(bytes, line.lowerBound, "---") || has(bytes, line.lowerBound, "- ") {
    return line.count < 3 || !bytes[line.lowerBound + 2].isDigit
  }
  let word = wordRange(bytes, line.lowerBound)
  guard !word.isEmpty, word.upperBound < bytes.count else { return false }
  return bytes[word.upperBound] == UInt8(ascii: ":")
}
