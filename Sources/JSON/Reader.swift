internal import Bytes

/// Reads a text in the grammar of RFC 8259, and stores a node for each value and key.
///
/// Each byte is read only once, so the size limit also limits the work. If the text has a fault,
/// the reader only finds its position. The functions in `Diagnosis.swift` then infer the author's
/// mistake.
struct Reader {
  private(set) var nodes: [Node] = []
  private var index = 0
  private let limits: JSONLimits

  init(limits: JSONLimits) {
    self.limits = limits
  }

  // JSON-text = ws value ws
  mutating func readText(_ bytes: Span<UInt8>) throws(SyntaxError) {
    guard bytes.count <= limits.bytes else {
      throw SyntaxError(.tooLarge, limits.bytes..<bytes.count, limit: limits.bytes)
    }
    // Indented files have about one value or key per twelve bytes.
    nodes.reserveCapacity(bytes.count / 12 + 4)
    skipWhiteSpace(bytes)
    guard try readValue(bytes, depth: 0) else {
      throw diagnose(bytes, index, expected: .text, opening: nil)
    }
    skipWhiteSpace(bytes)
    guard index == bytes.count else {
      throw diagnose(bytes, index, expected: .end, opening: nil)
    }
  }

  // value = false / null / true / object / array / number / string
  //
  // Returns false if no value begins at the current position of the text.
  private mutating func readValue(
    _ bytes: Span<UInt8>, depth: Int
  ) throws(SyntaxError) -> Bool {
    guard index < bytes.count else { return false }
    switch bytes[index] {
    case UInt8(ascii: "\""):
      try readString(bytes)
      return true
    case UInt8(ascii: "{"):
      try readObject(bytes, depth: depth)
      return true
    case UInt8(ascii: "["):
      try readArray(bytes, depth: depth)
      return true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      try readNumber(bytes)
      return true
    case UInt8(ascii: "t"): return readLiteral("true", .boolean, bytes)
    case UInt8(ascii: "f"): return readLiteral("false", .boolean, bytes)
    case UInt8(ascii: "n"): return readLiteral("null", .null, bytes)
    default:
      return false
    }
  }

  // object = "{" [ member *( "," member ) ] "}", member = string ":" value
  private mutating func readObject(_ bytes: Span<UInt8>, depth: Int) throws(SyntaxError) {
    let opening = index
    try checkDepth(depth)
    let node = begin(.object)
    index += 1
    skipWhiteSpace(bytes)
    if index < bytes.count, bytes[index] == UInt8(ascii: "}") { return end(node) }
    while true {
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw diagnose(bytes, index, expected: .key, opening: opening)
      }
      try readString(bytes)
      skipWhiteSpace(bytes)
      guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
        throw diagnose(bytes, index, expected: .colon, opening: opening)
      }
      index += 1
      skipWhiteSpace(bytes)
      guard try readValue(bytes, depth: depth + 1) else {
        throw diagnose(bytes, index, expected: .memberValue, opening: opening)
      }
      skipWhiteSpace(bytes)
      let next = index < bytes.count ? bytes[index] : 0
      if next == UInt8(ascii: "}") { return end(node) }
      guard next == UInt8(ascii: ",") else {
        throw diagnose(bytes, index, expected: .commaOrBrace, opening: opening)
      }
      index += 1
      skipWhiteSpace(bytes)
    }
  }

  // array = "[" [ value *( "," value ) ] "]"
  private mutating func readArray(_ bytes: Span<UInt8>, depth: Int) throws(SyntaxError) {
    let opening = index
    try checkDepth(depth)
    let node = begin(.array)
    index += 1
    skipWhiteSpace(bytes)
    if index < bytes.count, bytes[index] == UInt8(ascii: "]") { return end(node) }
    while true {
      guard try readValue(bytes, depth: depth + 1) else {
        throw diagnose(bytes, index, expected: .element, opening: opening)
      }
      skipWhiteSpace(bytes)
      let next = index < bytes.count ? bytes[index] : 0
      if next == UInt8(ascii: "]") { return end(node) }
      guard next == UInt8(ascii: ",") else {
        throw diagnose(bytes, index, expected: .commaOrBracket, opening: opening)
      }
      index += 1
      skipWhiteSpace(bytes)
    }
  }

  // string = DQUOTE *char DQUOTE
  //
  // char = unescaped / "\" ( DQUOTE / "\" / "/" / "b" / "f" / "n" / "r" / "t" / "u" 4HEXDIG )
  private mutating func readString(_ bytes: Span<UInt8>) throws(SyntaxError) {
    let start = index
    var position = index + 1
    var hasEscapes = false
    while true {
      position = endOfPlainRun(bytes, from: position)
      guard position < bytes.count else { break }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        index = position + 1
        add(.string, from: start, hasEscapes: hasEscapes)
        return
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        let length = escapeLength(bytes, at: position)
        guard length > 0 else { throw diagnoseEscape(bytes, position, string: start) }
        position += length
      } else if byte < 0x20 {
        throw diagnoseControl(bytes, position, string: start)
      } else if byte < 0x80 {
        position += 1
      } else {
        let length = utf8Length(bytes, at: position)
        guard length > 0 else {
          throw SyntaxError(.invalidUTF8, illFormedRange(bytes, at: position))
        }
        position += length
      }
    }
    throw diagnoseUnclosedString(bytes, start..<bytes.count)
  }

  /// The length of the escape sequence at `index`; 0 if the sequence is not valid.
  private func escapeLength(_ bytes: Span<UInt8>, at index: Int) -> Int {
    guard index + 1 < bytes.count else { return 0 }
    switch bytes[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard index + 6 <= bytes.count else { return 0 }
      for digit in index + 2..<index + 6 where bytes[digit].hexValue == nil { return 0 }
      return 6
    default:
      return 0
    }
  }

  // number = [ "-" ] int [ frac ] [ exp ], int = "0" / ( digit1-9 *DIGIT )
  //
  // frac = "." 1*DIGIT, exp = ( "e" / "E" ) [ "-" / "+" ] 1*DIGIT
  private mutating func readNumber(_ bytes: Span<UInt8>) throws(SyntaxError) {
    let start = index
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    if index < bytes.count, bytes[index] == UInt8(ascii: "0") {
      index += 1
    } else {
      try skipDigits(bytes, numberStart: start)
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      try skipDigits(bytes, numberStart: start)
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count,
        bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-")
      {
        index += 1
      }
      try skipDigits(bytes, numberStart: start)
    }
    add(.number, from: start)
  }

  // Skips at least one digit: 1*DIGIT
  private mutating func skipDigits(
    _ bytes: Span<UInt8>, numberStart: Int
  ) throws(SyntaxError) {
    let start = index
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
    if index == start { throw diagnoseNumber(bytes, numberStart) }
  }

  // Reads one of the literals false, true and null. Returns false if the text does not contain the
  // literal `word` at the current position.
  private mutating func readLiteral(
    _ word: String, _ kind: Value.Kind, _ bytes: Span<UInt8>
  ) -> Bool {
    guard has(bytes, index, word) else { return false }
    let start = index
    index += word.utf8.count
    add(kind, from: start)
    return true
  }

  // ws = *( space / tab / LF / CR )
  @inline(__always)
  private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
    var position = index
    while position < bytes.count, isWhiteSpace(bytes[position]) { position += 1 }
    index = position
  }

  @inline(__always)
  private func checkDepth(_ depth: Int) throws(SyntaxError) {
    if depth >= limits.depth {
      throw SyntaxError(.tooDeep, index..<index + 1, limit: limits.depth)
    }
  }
}

// Stores the recognized values.
extension Reader {
  @inline(__always)
  private mutating func add(_ kind: Value.Kind, from start: Int, hasEscapes: Bool = false) {
    nodes.append(
      Node(
        start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: index),
        next: Int32(truncatingIfNeeded: nodes.count + 1), kind: kind, hasEscapes: hasEscapes))
  }

  /// Appends a node whose end is not yet known. Returns the index of the node.
  @inline(__always)
  private mutating func begin(_ kind: Value.Kind) -> Int {
    add(kind, from: index)
    return nodes.count - 1
  }

  /// Skips the closing bracket of an object or array, and stores the end of its node.
  @inline(__always)
  private mutating func end(_ node: Int) {
    index += 1
    nodes[node].end = Int32(truncatingIfNeeded: index)
    nodes[node].next = Int32(truncatingIfNeeded: nodes.count)
  }
}

@inline(__always)
func isWhiteSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
