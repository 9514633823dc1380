internal import AppSiteAssociation

/// The meaning of a pattern by its definition, independent of the code under test: every
/// combination of values replaces the variables, a path's pattern is simplified, and a table
/// records which prefixes of the pattern match which prefixes of the text.
struct PatternDefinition {
  private enum Token: Equatable {
    case run
    case one
    case anyOf([UInt32])
  }

  /// Of names that are there twice the last one counts.
  let variables: [(name: [UInt32], values: [[UInt32]])]
  let foldsCase: Bool

  /// The number of simplified patterns that are tried; with more there is no answer.
  private static let expansions = 300

  /// Nil when it would take too long.
  func matches(_ pattern: [UInt32], _ text: [UInt32], isPath: Bool) -> Bool? {
    var plain: [[Token]] = [[]]
    for piece in pieces(pattern) {
      let values = alternatives(piece)
      guard plain.count * values.count <= Self.expansions else { return nil }
      plain = plain.flatMap { start in values.map { start + $0 } }
    }
    if isPath { plain = plain.flatMap(pathForms) }
    return plain.contains { matches($0, text) }
  }

  // MARK: Variables

  private enum Piece {
    case symbol(UInt32)
    case variable([UInt32])
  }

  private func pieces(_ pattern: [UInt32]) -> [Piece] {
    let (dollar, opening, closing) = (scalar("$"), scalar("("), scalar(")"))
    var pieces: [Piece] = []
    var rest = pattern[...]
    while let symbol = rest.popFirst() {
      if symbol == dollar, rest.first == opening,
        let end = rest.dropFirst().firstIndex(where: { [dollar, opening, closing].contains($0) }),
        rest[end] == closing
      {
        pieces.append(.variable(Array(rest[(rest.startIndex + 1)..<end])))
        rest = rest[(end + 1)...]
      } else {
        pieces.append(.symbol(symbol))
      }
    }
    return pieces
  }

  private func alternatives(_ piece: Piece) -> [[Token]] {
    switch piece {
    case .symbol(let symbol): return [[token(symbol)]]
    case .variable(let name):
      if let variable = variables.last(where: { $0.name == name }) {
        return variable.values.map { $0.map(token) }
      }
      return predefined(name)
    }
  }

  private func predefined(_ name: [UInt32]) -> [[Token]] {
    let upper = Array(scalar("A")...scalar("Z"))
    let lower = Array(scalar("a")...scalar("z"))
    let digits = Array(scalar("0")...scalar("9"))
    func one(_ symbols: [UInt32]) -> [[Token]] { [[.anyOf(symbols.flatMap(cases))]] }
    let variable = PredefinedVariable.allCases.first { scalars($0.rawValue) == name }
    switch variable {
    case .upper: return one(upper)
    case .lower: return one(lower)
    case .alpha: return one(upper + lower)
    case .alnum: return one(upper + lower + digits)
    case .digit: return one(digits)
    case .xdigit: return one(digits + upper[..<6] + lower[..<6])
    case .region, .lang:
      return (variable?.codes ?? []).map { code in code.unicodeScalars.map { token($0.value) } }
    case nil: return []
    }
  }

  private func token(_ symbol: UInt32) -> Token {
    symbol == scalar("*") ? .run : symbol == scalar("?") ? .one : .anyOf(cases(symbol))
  }

  private func cases(_ symbol: UInt32) -> [UInt32] {
    guard foldsCase, let scalar = Unicode.Scalar(symbol) else { return [symbol] }
    let texts = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
    return [symbol] + texts.filter { $0.unicodeScalars.count == 1 }.flatMap(scalars)
  }

  // MARK: Paths

  /// A path's pattern in its simple forms; `*/admin` is also `/admin`.
  private func pathForms(_ pattern: [Token]) -> [[Token]] {
    let rest = Array(pattern.drop { $0 == .run })
    return forms(pattern) + (rest.count < pattern.count && isSlash(rest.first) ? forms(rest) : [])
  }

  private func isSlash(_ token: Token?) -> Bool {
    if case .anyOf(let symbols)? = token { return symbols.contains(scalar("/")) }
    return false
  }

  /// One slash first, no runs of slashes, none at the end; and `/buy/*` is also `/buy`.
  private func forms(_ pattern: [Token]) -> [[Token]] {
    let slash = Token.anyOf([scalar("/")])
    var plain = [slash]
    for token in pattern where !(isSlash(token) && isSlash(plain.last)) { plain.append(token) }
    if plain.count > 1, isSlash(plain.last) { plain.removeLast() }
    var short = plain
    while short.last == .run { short.removeLast() }
    guard short.count < plain.count, short.count > 1, isSlash(short.last) else { return [plain] }
    short.removeLast()
    return [plain, short]
  }

  // MARK: Matching

  /// `reached[n]`: the pattern so far matches the text's first n characters.
  private func matches(_ pattern: [Token], _ text: [UInt32]) -> Bool {
    var reached = [Bool](repeating: false, count: text.count + 1)
    reached[0] = true
    for token in pattern {
      var next = [Bool](repeating: false, count: text.count + 1)
      for end in next.indices {
        switch token {
        case .run: next[end] = reached[end] || (end > 0 && next[end - 1])
        case .one: next[end] = end > 0 && reached[end - 1]
        case .anyOf(let symbols):
          next[end] = end > 0 && reached[end - 1] && symbols.contains(text[end - 1])
        }
      }
      reached = next
    }
    return reached[text.count]
  }
}

func scalar(_ character: Unicode.Scalar) -> UInt32 { character.value }

func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
