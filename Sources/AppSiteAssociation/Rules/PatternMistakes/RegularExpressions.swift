/// Whether a pattern looks like a regular expression: it has an anchor or a repeated class.
func isRegularExpression(_ bytes: [UInt8]) -> Bool {
  bytes.first == UInt8(ascii: "^") || bytes.last == UInt8(ascii: "$")
    || holds("]+", bytes) || holds("]*", bytes)
}

/// Returns the nearest pattern for a simple regular expression: `/buy/?*` for `^/buy/[0-9]+$`. Nil
/// if it has groups, alternatives, counts or an unclosed bracket.
func meantPattern(_ bytes: [UInt8]) -> String? {
  var rest = bytes[...]
  if rest.first == UInt8(ascii: "^") { rest = rest.dropFirst() }
  if rest.last == UInt8(ascii: "$") { rest = rest.dropLast() }
  var pattern: [UInt8] = []
  while let byte = rest.first {
    var isOneCharacter = true
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "|"), UInt8(ascii: "{"),
      UInt8(ascii: "}"):
      return nil
    case UInt8(ascii: "["):
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      rest = rest[(end + 1)...]
    case UInt8(ascii: "\\"):
      guard let next = rest.dropFirst().first else { return nil }
      // An escaped letter such as `\d` or `\w` is a class; otherwise the character is literal.
      isOneCharacter = !isASCIILetter(next)
      if isOneCharacter { pattern.append(next) }
      rest = rest.dropFirst(2)
      if isOneCharacter { continue }
    case UInt8(ascii: "."):
      rest = rest.dropFirst()
      // A dot without a quantifier is probably meant literally.
      guard let next = rest.first, isQuantifier(next) else {
        pattern.append(byte)
        continue
      }
    default:
      pattern.append(byte)
      rest = rest.dropFirst()
      continue
    }
    let quantifier = rest.first.flatMap { isQuantifier($0) ? $0 : nil }
    if quantifier != nil { rest = rest.dropFirst() }
    switch quantifier {
    case UInt8(ascii: "*"): pattern.append(UInt8(ascii: "*"))
    case UInt8(ascii: "+"): pattern += Array("?*".utf8)
    default: pattern.append(UInt8(ascii: "?"))
    }
  }
  return String(decoding: pattern, as: UTF8.self)
}

private func isQuantifier(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "*") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "?")
}
