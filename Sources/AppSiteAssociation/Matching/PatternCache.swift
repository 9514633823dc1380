/// The patterns that were compiled, each once.
struct PatternCache {
  private struct Key: Hashable {
    let pattern: ExactText
    let subject: PatternAutomaton.Subject
    let caseSensitive: Bool
  }

  private(set) var automata: [PatternAutomaton] = []
  private let variables: SubstitutionVariables
  private var indexes: [Key: Int32] = [:]
  private var states: Int
  private var words: Int

  /// The limits are for all patterns together.
  init(_ variables: SubstitutionVariables, stateLimit: Int, wordLimit: Int) {
    self.variables = variables
    states = stateLimit
    words = wordLimit
  }

  /// The index of the pattern's automaton; -1 when it matches everything.
  mutating func index(
    _ pattern: String, _ subject: PatternAutomaton.Subject, _ caseSensitive: Bool
  ) throws(PatternsTooLarge) -> Int32 {
    let key = Key(
      pattern: ExactText(pattern), subject: subject, caseSensitive: caseSensitive)
    if let index = indexes[key] { return index }
    let automaton = try PatternAutomaton(
      pattern, subject: subject, variables: variables, caseSensitive: caseSensitive,
      stateLimit: states, wordLimit: words)
    states -= min(states, automaton.stateCount)
    words -= min(words, automaton.tableWords)
    var index: Int32 = -1
    if !automaton.acceptsEverything(subject) {
      index = Int32(truncatingIfNeeded: automata.count)
      automata.append(automaton)
    }
    indexes[key] = index
    return index
  }
}
