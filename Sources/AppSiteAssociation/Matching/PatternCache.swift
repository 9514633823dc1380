/// The patterns that were compiled, each once.
struct PatternCache {
  struct Key: Hashable {
    let pattern: ExactText
    let subject: PatternAutomaton.Subject
    let caseSensitive: Bool
  }

  private(set) var automata: [PatternAutomaton] = []
  private let variables: SubstitutionVariables
  private var indexes: [Key: Int32] = [:]

  init(_ variables: SubstitutionVariables) { self.variables = variables }

  /// The index of the pattern's automaton; -1 when it matches everything.
  mutating func index(
    _ pattern: String, _ subject: PatternAutomaton.Subject, _ caseSensitive: Bool
  ) throws(PatternsTooLarge) -> Int32 {
    let key = Key(
      pattern: ExactText(pattern), subject: subject, caseSensitive: caseSensitive)
    if let index = indexes[key] { return index }
    let automaton = try PatternAutomaton(
      pattern, subject: subject, variables: variables, caseSensitive: caseSensitive,
      stateLimit: .max, wordLimit: .max)
    var index: Int32 = -1
    if !automaton.acceptsEverything(subject) {
      index = Int32(truncatingIfNeeded: automata.count)
      automata.append(automaton)
    }
    indexes[key] = index
    return index
  }
}
