internal import AppSiteAssociation
internal import Diagnostics
internal import JSON

/// A pattern against a text: the automaton, its sets of states, and the definition agree.
///
/// Lines: options (`p` for a path, `i` for any case), the pattern, the text, then variables as
/// `name=value,value`.
@Sendable func fuzzPattern(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
  guard lines.count >= 3 else { return }
  let isPath = lines[0].contains(UInt8(ascii: "p"))
  let foldsCase = lines[0].contains(UInt8(ascii: "i"))
  let pattern = String(decoding: lines[1], as: UTF8.self)
  var text = scalars(String(decoding: lines[2], as: UTF8.self))
  if isPath { text = normalPath(text) }
  let variables = lines[3...].prefix(16).compactMap(variable)

  guard let known = substitutionVariables(variables),
    let automaton = try? PatternAutomaton(
      pattern, subject: isPath ? .path : .text, variables: known, caseSensitive: !foldsCase,
      stateLimit: 100_000, wordLimit: 1_000_000)
  else { return }
  let isMatch = automaton.matches(text.span)
  precondition(automaton.matches(text.span) == isMatch)
  if automaton.stateCount < 4_096 { precondition(accepts(automaton, text) == isMatch) }
  if automaton.acceptsEverything(isPath ? .path : .text) { precondition(isMatch) }

  let definition = PatternDefinition(
    variables: variables.map { (scalars($0.name), $0.values.map(scalars)) }, foldsCase: foldsCase)
  let texts = [pattern] + variables.flatMap(\.values)
  let symbols = texts.flatMap(scalars) + text
  guard symbols.count <= 200, !foldsCase || symbols.allSatisfy(hasPlainCase) else { return }
  if let expected = definition.matches(scalars(pattern), text, isPath: isPath) {
    precondition(expected == isMatch)
  }
}

/// Whether the symbol has at most one other case, and that has it in turn. Where Unicode's mappings
/// are not such pairs there is nothing to agree on.
private func hasPlainCase(_ symbol: UInt32) -> Bool {
  switch symbol {
  case ..<0x80, 0xC0..<0xDF, 0xE0..<0xFF, 0x3040..<0xA000: true
  default: false
  }
}

private func variable(_ line: ArraySlice<UInt8>) -> (name: String, values: [String])? {
  guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
  let values = line[(equals + 1)...].split(
    separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
  return (
    String(decoding: line[..<equals], as: UTF8.self),
    values.map { String(decoding: $0, as: UTF8.self) }
  )
}

private func substitutionVariables(
  _ variables: [(name: String, values: [String])]
) -> SubstitutionVariables? {
  let members = JSONTree(variables.map { ($0.name, $0.values.json) })
  let tree: JSONTree = ["applinks": ["substitutionVariables": members]]
  let source = SourceText(path: "fuzz", bytes: tree.minified)
  guard let document = try? Document(parsing: source) else {
    preconditionFailure("the written text can be parsed")
  }
  return Association(document.root).applinks?.variables
}

private func accepts(_ automaton: PatternAutomaton, _ text: [UInt32]) -> Bool {
  var set = automaton.initialStates
  for symbol in text {
    set = automaton.step(set, symbolClass: automaton.symbolClass(of: symbol))
  }
  return automaton.isAccepting(set)
}

/// One slash first, no runs of slashes, none at the end.
private func normalPath(_ text: [UInt32]) -> [UInt32] {
  let slash = scalar("/")
  var path = [slash]
  for symbol in text where symbol != slash || path.last != slash { path.append(symbol) }
  if path.count > 1, path.last == slash { path.removeLast() }
  return path
}
