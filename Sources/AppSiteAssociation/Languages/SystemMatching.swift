extension RuleSystem {
  /// Those of some rules that match an example.
  func matching(_ list: [Int], _ example: ExampleURL) -> [Int] {
    let reference = Array(example.reference.utf8)
    guard let parts = try? URLParts(reference.span) else { return [] }
    var texts = URLTexts()
    texts.load(reference.span, parts, decoding: true)
    var simulation = Simulation()
    return list.filter { matches($0, texts, &simulation) }
  }

  private func matches(
    _ rule: Int, _ texts: URLTexts, _ simulation: inout Simulation
  ) -> Bool {
    URLPart.allCases.allSatisfy { part in
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
