/// The definition of a pattern, word for word and as slow as that is: put every combination of
/// values in for the variables, make a path's pattern plain, try every way in which it matches.
struct ReferenceMatcher {
  enum Token: Equatable {
    case character(Character)
    case one
    case run
    case oneOf([String])
    case never
  }

  var variables: [(name: String, values: [String])]
  var foldsCase: Bool

  func matches(_ pattern: String, path: String) -> Bool {
    let text = Array(normal(path))
    return expansions(of: pattern).contains { expansion in
      plain(expansion).contains { matches($0[...], text[...]) }
    }
  }

  func matches(_ pattern: String, text: String) -> Bool {
    expansions(of: pattern).contains { matches($0[...], Array(text)[...]) }
  }

  /// One slash first, no runs of slashes, none at the end.
  private func normal(_ path: String) -> String {
    var result = "/"
    for character in path where character != "/" || result.last != "/" { result.append(character) }
    if result.count > 1, result.last == "/" { result.removeLast() }
    return result
  }

  /// The same for a pattern; `/buy/*` is also `/buy`, and `*/admin` is also `/admin`.
  private func plain(_ pattern: [Token]) -> [[Token]] {
    let rest = Array(pattern.drop { $0 == .run })
    let isFirst = rest.count < pattern.count && rest.first == .character("/")
    return withoutEnd(pattern) + (isFirst ? withoutEnd(rest) : [])
  }

  private func withoutEnd(_ pattern: [Token]) -> [[Token]] {
    let slash = Token.character("/")
    var result = [slash]
    for token in pattern where token != slash || result.last != slash { result.append(token) }
    if result.count > 1, result.last == slash { result.removeLast() }
    guard result.last == .run else { return [result] }
    let end = result.lastIndex { $0 != .run }
    guard let end, result[end] == slash, end > 0 else { return [result] }
    return [result, Array(result[..<end])]
  }

  private func expansions(of pattern: String) -> [[Token]] {
    guard let (before, name, after) = firstVariable(pattern) else { return [tokens(pattern)] }
    let rests = expansions(of: after)
    return values(of: name).flatMap { value in
      rests.map { tokens(before) + value + $0 }
    }
  }

  private func values(of name: String) -> [[Token]] {
    if let variable = variables.first(where: { $0.name == name }) {
      return variable.values.map(tokens)
    }
    let lower = "abcdefghijklmnopqrstuvwxyz".map(String.init)
    let upper = lower.map { $0.uppercased() }
    let digits = "0123456789".map(String.init)
    switch name {
    case "alpha": return [[.oneOf(lower + upper)]]
    case "upper": return [[.oneOf(upper)]]
    case "lower": return [[.oneOf(lower)]]
    case "alnum": return [[.oneOf(lower + upper + digits)]]
    case "digit": return [[.oneOf(digits)]]
    case "xdigit": return [[.oneOf(digits + "abcdefABCDEF".map(String.init))]]
    default: return []
    }
  }

  private func firstVariable(
    _ pattern: String
  ) -> (before: String, name: String, after: String)? {
    let characters = Array(pattern)
    for start in characters.indices where characters[start...].starts(with: "$(") {
      let rest = characters[(start + 2)...]
      guard let end = rest.firstIndex(where: { "$()".contains($0) }), rest[end] == ")" else {
        continue
      }
      return (
        String(characters[..<start]), String(rest[..<end]), String(characters[(end + 1)...])
      )
    }
    return nil
  }

  private func tokens(_ text: String) -> [Token] {
    text.map { $0 == "*" ? .run : $0 == "?" ? .one : .character($0) }
  }

  private func matches(_ pattern: ArraySlice<Token>, _ text: ArraySlice<Character>) -> Bool {
    guard let token = pattern.first else { return text.isEmpty }
    if token == .run {
      return matches(pattern.dropFirst(), text)
        || (!text.isEmpty && matches(pattern, text.dropFirst()))
    }
    guard let character = text.first, accepts(token, character) else { return false }
    return matches(pattern.dropFirst(), text.dropFirst())
  }

  private func accepts(_ token: Token, _ character: Character) -> Bool {
    switch token {
    case .character(let other): return fold(String(character)) == fold(String(other))
    case .one: return true
    case .oneOf(let list): return list.contains { fold($0) == fold(String(character)) }
    case .run, .never: return false
    }
  }

  private func fold(_ text: String) -> String { foldsCase ? text.lowercased() : text }
}
