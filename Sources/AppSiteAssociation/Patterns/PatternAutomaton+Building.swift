extension PatternAutomaton {
  /// Compiles a pattern.
  ///
  /// Throws if it would have more than `stateLimit` states or `wordLimit` words of tables.
  package convenience init(
    _ pattern: String, subject: Subject, variables: SubstitutionVariables, caseSensitive: Bool,
    stateLimit: Int = MatchingLimits.states, wordLimit: Int = MatchingLimits.tableWords
  ) throws(PatternsTooLarge) {
    let graph = try TokenGraph(
      PatternSyntax(pattern), variables: variables, caseSensitive: caseSensitive,
      limit: stateLimit)
    var builder = AutomatonBuilder(graph, subject: subject)
    builder.build()
    self.init(try AutomatonTables(builder.states, wordLimit: wordLimit))
  }
}
