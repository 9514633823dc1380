extension RuleSystem {
  /// Whether a rule matches an example.
  func matches(_ rule: Int, _ example: ExampleURL) -> Bool {
    let reference = Array(example.reference.utf8)
    guard let parts = try? URLParts(reference.span) else { return false }
    var texts = URLTexts()
    texts.load(reference.span, parts, decoding: true)
    var simulation = Simulation()
    return URLPart.allCases.allSatisfy { part in
      rules[rule].atoms[part.rawValue].allSatisfy { index in
        matches(atoms[part.rawValue][index], part, texts, &simulation)
      }
    }
  }

  private func matches(
    _ atom: Atom, _ part: URLPart, _ texts: URLTexts, _ simulation: inout Simulation
  ) -> Bool {
    let automaton = patterns[atom.pattern].automaton
    let ranges = atom.isDecoded ? texts.decoded : texts.written
    guard let name = atom.name else {
      let range =
        switch part {
        case .path: ranges.path
        case .query: ranges.query
        case .fragment: ranges.fragment
        }
      return automaton.matches(texts.scalars.span.extracting(range), &simulation)
    }
    let values = texts.items[ranges.items].filter { Array(texts.scalars[$0.name]) == name }
    if values.isEmpty { return patterns[atom.pattern].acceptsEmpty }
    return values.allSatisfy {
      automaton.matches(texts.scalars.span.extracting($0.value), &simulation)
    }
  }
}
