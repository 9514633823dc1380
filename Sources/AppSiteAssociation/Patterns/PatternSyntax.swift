/// The syntax of a pattern: literal characters, wildcards, variables.
///
/// There are no escapes: `*` and `?` are always wildcards. `$(` is literal text if no `)` follows,
/// or if another `$` or `(` comes before the next `)`. Apple does not document how devices read
/// this text.
package struct PatternSyntax: Sendable {
  package enum Token: Sendable, Equatable {
    case literal(Unicode.Scalar)
    /// `?`: exactly one character.
    case anyCharacter
    /// `*`: zero or more characters.
    case anyRun
    /// `$(name)`: a variable.
    case variable(String)
  }

  package struct Part: Sendable, Equatable {
    package let token: Token
    /// The range of the token, counted in Unicode scalars of the pattern.
    package let range: Range<Int>
  }

  package let parts: [Part]
  /// The parts of the pattern that are variables.
  package let variables: [Part]
  /// The offset, in Unicode scalars, of each `$(` that does not begin a variable.
  package let unclosedVariables: [Int]

  /// - Parameter isVariableValue: Whether the text is a value of a variable. Values cannot refer to
  ///   variables, so `$(` in a value is literal.
  package init(_ text: String, isVariableValue: Bool = false) {
    let bytes = text.utf8.span
    var parts: [Part] = []
    var variables: [Part] = []
    var unclosed: [Int] = []
    parts.reserveCapacity(bytes.count)
    var position = 0
    // The number of scalars before `position`.
    var index = 0
    while position < bytes.count {
      let start = index
      let (scalar, length) = Self.scalar(bytes, at: position)
      position += length
      index += 1
      switch scalar {
      case "*": parts.append(Part(token: .anyRun, range: start..<index))
      case "?": parts.append(Part(token: .anyCharacter, range: start..<index))
      case "$"
      where !isVariableValue && position < bytes.count && bytes[position] == UInt8(ascii: "("):
        if let end = Self.endOfName(bytes, from: position + 1) {
          let name = String(Substring(text.utf8.prefix(end).dropFirst(position + 1)))
          position = end + 1
          index += name.unicodeScalars.count + 2
          let part = Part(token: .variable(name), range: start..<index)
          parts.append(part)
          variables.append(part)
        } else {
          unclosed.append(start)
          parts.append(Part(token: .literal("$"), range: start..<index))
        }
      default: parts.append(Part(token: .literal(scalar), range: start..<index))
      }
    }
    self.parts = parts
    self.variables = variables
    unclosedVariables = unclosed
  }

  /// Returns the first use of a variable in the pattern; nil if the pattern does not use the
  /// variable.
  func variable(_ name: String) -> Part? { variables.first { $0.token == .variable(name) } }

  /// The maximum number of patterns that `expanded` returns.
  package static let alternatives = 64

  /// Replaces the variables of the pattern by their values. Returns one pattern for each
  /// combination of values; nil if there are more than `alternatives` combinations.
  package func expanded<Fault>(
    values: (_ name: String) throws(Fault) -> [String]
  ) throws(Fault) -> [String]? {
    var result = [""]
    for part in parts {
      let texts: [String]
      switch part.token {
      case .literal(let scalar): texts = [String(scalar)]
      case .anyCharacter: texts = ["?"]
      case .anyRun: texts = ["*"]
      case .variable(let name): texts = try values(name)
      }
      guard result.count * texts.count <= Self.alternatives else { return nil }
      result = result.flatMap { start in texts.map { start + $0 } }
    }
    return result
  }

  /// Returns the offset of the `)` that ends a variable's name. Nil if the rest of the pattern has
  /// no `)`, or if a `$` or `(` comes before the first `)`.
  private static func endOfName(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    for index in start..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ")"): return index
      case UInt8(ascii: "$"), UInt8(ascii: "("): return nil
      default: continue
      }
    }
    return nil
  }

  /// Returns the scalar at an offset of well-formed UTF-8, and its length in bytes.
  private static func scalar(_ bytes: Span<UInt8>, at offset: Int) -> (Unicode.Scalar, Int) {
    let first = bytes[offset]
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = UInt32(first) & (0xFF >> UInt32(length + 1))
    for byte in offset + 1..<offset + length { value = value << 6 | UInt32(bytes[byte] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }
}

/// The variables that every file can use without a definition.
package enum PredefinedVariable: String, Sendable, CaseIterable {
  case alpha, upper, lower, alnum, digit, xdigit
  case region, lang

  /// If the variable stands for a single character, all characters that it can stand for. Nil if
  /// the variable stands for a code from a list.
  var characters: [UInt8]? {
    switch self {
    case .alpha: Self.upperCase + Self.lowerCase
    case .upper: Self.upperCase
    case .lower: Self.lowerCase
    case .alnum: Self.upperCase + Self.lowerCase + Self.digits
    case .digit: Self.digits
    case .xdigit: Self.digits + Array("ABCDEFabcdef".utf8)
    case .region, .lang: nil
    }
  }

  /// If the variable stands for a code, all codes that it can stand for. Nil if the variable stands
  /// for a single character.
  package var codes: [Substring]? {
    switch self {
    case .region: ISOCodes.regions
    case .lang: ISOCodes.languages
    default: nil
    }
  }

  /// Each text that the variable stands for.
  package var texts: [String] {
    codes?.map(String.init) ?? (characters ?? []).map { String(Character(Unicode.Scalar($0))) }
  }

  var codeGroups: [ISOCodes.Group]? {
    switch self {
    case .region: ISOCodes.regionGroups
    case .lang: ISOCodes.languageGroups
    default: nil
    }
  }

  private static let upperCase = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
  private static let lowerCase = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
  private static let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
}
