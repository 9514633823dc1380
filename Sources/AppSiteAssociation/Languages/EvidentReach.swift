/// Shows that a rule decides something where a glance is enough: nearly all rules of nearly all
/// files begin with another path than those before them. No automaton is built.
struct EvidentReach {
  private let rules: [Glance]

  private struct Glance {
    let prefix: PathPrefix
    /// A URL that matches the rule; nil when it takes more to find one.
    let example: ExampleURL?
    /// Whether only URLs with such a part match.
    let needsQuery: Bool
    let needsFragment: Bool
  }

  init(_ rules: [Rule]) {
    self.rules = rules.map { rule in
      Glance(
        prefix: PathPrefix(rule), example: Self.example(of: rule),
        needsQuery: Self.needsQuery(rule),
        needsFragment: rule.effective.fragment.map { Self.needsText($0.value) } ?? false)
    }
  }

  /// A URL, not always a shortest one, that the rule at that place decides.
  ///
  /// Nil says nothing: whether there is one is a question for `EntryLanguages`.
  func example(decidedBy rule: Int) -> ExampleURL? {
    guard let example = rules[rule].example else { return nil }
    for earlier in rules[..<rule] {
      let cannotMatch =
        earlier.needsQuery && example.query.isEmpty
        || earlier.needsFragment && example.fragment.isEmpty
        || !earlier.prefix.isCompatible(with: rules[rule].prefix)
      if !cannotMatch { return nil }
    }
    return example
  }

  private static func needsQuery(_ rule: Rule) -> Bool {
    switch rule.effective.query {
    case .whole(let pattern): needsText(pattern.value)
    case .items(let items, _): items.contains { needsText($0.pattern.value) }
    case nil: false
    }
  }

  /// Whether the empty text does not match a pattern. A variable may have an empty value.
  private static func needsText(_ pattern: String) -> Bool {
    PatternSyntax(pattern).parts.contains { part in
      switch part.token {
      case .literal, .anyCharacter: true
      case .anyRun, .variable: false
      }
    }
  }

  private static func example(of rule: Rule) -> ExampleURL? {
    let fields = rule.effective
    let pattern = fields.path?.value ?? "/"
    // Before another beginning devices put a slash.
    guard pattern.utf8.first == UInt8(ascii: "/"), let path = text(pattern, allowing: "/"),
      let fragment = text(fields.fragment?.value ?? "")
    else { return nil }
    var example = ExampleURL(path: path, fragment: fragment)
    // Whoever joins or cleans up paths could make another one of these.
    if holds("//", path) || holds("/.", path) { return nil }
    switch fields.query {
    case .whole(let pattern):
      guard let query = text(pattern.value, allowing: "=&") else { return nil }
      example.query = query
    case .items(let items, _):
      for item in items {
        guard let name = text(item.name.value), name == item.name.value, !name.isEmpty,
          let value = text(item.pattern.value)
        else { return nil }
        example.query += (example.query.isEmpty ? "" : "&") + name + "=" + value
      }
    case nil: break
    }
    return example
  }

  /// The shortest text of a pattern without variables, when all of its characters mean the same
  /// written and decoded (RFC 3986 2.3).
  private static func text(_ pattern: String, allowing others: String = "") -> String? {
    var text = ""
    for part in PatternSyntax(pattern).parts {
      switch part.token {
      case .anyRun: break
      case .anyCharacter: text.unicodeScalars.append("x")
      case .variable: return nil
      case .literal(let scalar):
        guard scalar.isASCII else { return nil }
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        guard
          isASCIILetter(byte) || isASCIIDigit(byte) || "-._~".utf8.contains(byte)
            || others.utf8.contains(byte)
        else { return nil }
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
