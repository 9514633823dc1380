/// One condition on one part of a URL: a pattern for the whole text, or for a query item's values.
struct Atom: Sendable, Hashable {
  /// An index into the system's patterns.
  let pattern: Int
  /// Whether the pattern is compared with the decoded text.
  let isDecoded: Bool
  /// The item's name; nil for the whole text.
  let name: [UInt32]?
}

/// A rule as a conjunction of conditions on the parts of a URL.
struct SystemRule: Sendable {
  /// For each part the conditions, as indexes into the system's atoms of that part. A condition that
  /// holds for every text is left out.
  var atoms: [[Int]] = [[], [], []]
  var isExclusion = false
  /// Patterns that are too large to be explored, as numbers: then nothing is known of the rule's
  /// language.
  var opaquePatterns: [Int] = []
  var pathPrefix: PathPrefix
  /// For each part a number that is the same for rules with the same conditions from there on and
  /// the same decision.
  var identities: [Int] = [0, 0, 0]

  var isOpaque: Bool { !opaquePatterns.isEmpty }

  /// Whether nothing is asked of the URL from this part on.
  func isUnrestricted(from part: URLPart?) -> Bool {
    guard let part else { return true }
    return atoms[part.rawValue...].allSatisfy(\.isEmpty)
  }
}

/// The rules of one or more lists, with equal patterns and conditions shared.
struct RuleSystem {
  let memory = LanguageMemory()
  private(set) var patterns: [LanguagePattern] = []
  /// For each part its conditions.
  private(set) var atoms: [[Atom]] = [[], [], []]
  private(set) var rules: [SystemRule] = []

  private var patternIndexes: [PatternKey: Int?] = [:]
  private var opaqueNumbers: [PatternKey: Int] = [:]
  private var atomIndexes: [[Atom: Int]] = [[:], [:], [:]]
  private var identityNumbers: [[Int]: Int] = [:]
  private var words = LanguageLimits.tableWords
  /// What is left of `LanguageLimits.fileStates`.
  private(set) var states: Int
  private var sizes: PatternSizes?
  /// For each list of values of a variable a number, and that of each name in the list of rules that
  /// is appended: to look at thousands of values for each pattern takes long.
  private var valueNumbers: [[ExactText]: Int] = [:]
  private var numbersOfNames: [ExactText: Int] = [:]

  init(states: Int = LanguageLimits.fileStates) { self.states = states }

  /// Forgets what the patterns know of texts when that has become much.
  func trimMemory() {
    guard memory.words > LanguageLimits.keptWords else { return }
    memory.words = 0
    for pattern in patterns { pattern.forget() }
  }

  /// What a pattern's language depends on: the values of its variables, not their names.
  private struct PatternKey: Hashable {
    let pattern: ExactText
    /// As numbers; -1 for a variable without values of its own.
    let values: [Int]
    let isPath: Bool
    let caseSensitive: Bool
  }

  /// Appends the rules of an entry. Returns their indexes.
  mutating func append(_ list: [Rule], _ variables: SubstitutionVariables) -> Range<Int> {
    let first = rules.count
    sizes = PatternSizes(variables)
    numbersOfNames = [:]
    for rule in list { append(rule, variables) }
    return first..<rules.count
  }

  private mutating func append(_ rule: Rule, _ variables: SubstitutionVariables) {
    let fields = rule.effective
    var compiled = SystemRule(pathPrefix: PathPrefix(rule))
    compiled.isExclusion = rule.isExclusion
    if let path = fields.path { add(path.value, .path, nil, to: &compiled, rule, variables) }
    switch fields.query {
    case .whole(let text): add(text.value, .query, nil, to: &compiled, rule, variables)
    case .items(let items, _):
      for item in items {
        let name = item.name.value.unicodeScalars.map(\.value)
        add(item.pattern.value, .query, name, to: &compiled, rule, variables)
      }
    case nil: break
    }
    if let text = fields.fragment {
      add(text.value, .fragment, nil, to: &compiled, rule, variables)
    }
    for part in URLPart.allCases {
      var key = [part.rawValue, compiled.isExclusion ? 1 : 0]
      if compiled.isOpaque { key += [-2] + compiled.opaquePatterns + [-3] }
      for atoms in compiled.atoms[part.rawValue...] { key += atoms.sorted() + [-1] }
      let number = identityNumbers[key] ?? identityNumbers.count
      identityNumbers[key] = number
      compiled.identities[part.rawValue] = number
    }
    rules.append(compiled)
  }

  private mutating func add(
    _ pattern: String, _ part: URLPart, _ name: [UInt32]?, to compiled: inout SystemRule,
    _ rule: Rule, _ variables: SubstitutionVariables
  ) {
    let subject: PatternAutomaton.Subject = part == .path ? .path : .text
    let key = PatternKey(
      pattern: ExactText(pattern), values: values(pattern, variables),
      isPath: subject == .path, caseSensitive: rule.isCaseSensitive)
    guard let index = patternIndex(key, pattern, subject, variables) else {
      let number = opaqueNumbers[key] ?? opaqueNumbers.count
      opaqueNumbers[key] = number
      let item = name.map { $0.map(Int.init) } ?? []
      compiled.opaquePatterns += [part.rawValue, rule.isPercentEncoded ? 1 : 0, number] + item
      return
    }
    if patterns[index].automaton.acceptsEverything(subject) { return }
    let atom = Atom(pattern: index, isDecoded: !rule.isPercentEncoded, name: name)
    let number = atomIndexes[part.rawValue][atom] ?? atoms[part.rawValue].count
    if number == atoms[part.rawValue].count {
      atoms[part.rawValue].append(atom)
      atomIndexes[part.rawValue][atom] = number
    }
    compiled.atoms[part.rawValue].append(number)
  }

  /// Nil when the pattern is too large.
  private mutating func patternIndex(
    _ key: PatternKey, _ pattern: String, _ subject: PatternAutomaton.Subject,
    _ variables: SubstitutionVariables
  ) -> Int? {
    if let known = patternIndexes[key] { return known }
    var index: Int?
    let size = sizes?.size(of: pattern).vertices ?? .max
    if size <= min(LanguageLimits.patternStates, states - LanguageLimits.statesForPattern),
      let automaton = try? PatternAutomaton(
        pattern, subject: subject, variables: variables, caseSensitive: key.caseSensitive,
        stateLimit: LanguageLimits.patternStates, wordLimit: max(words, 0))
    {
      states -= size + LanguageLimits.statesForPattern
      words -= automaton.tableWords
      index = patterns.count
      patterns.append(LanguagePattern(automaton, memory))
    }
    patternIndexes[key] = .some(index)
    return index
  }

  /// The values of the variables in a pattern, in order, as numbers.
  private mutating func values(_ pattern: String, _ variables: SubstitutionVariables) -> [Int] {
    guard pattern.utf8.contains(UInt8(ascii: "$")) else { return [] }
    var numbers: [Int] = []
    for part in PatternSyntax(pattern).parts {
      guard case .variable(let name) = part.token else { continue }
      numbers.append(number(of: name, variables))
    }
    return numbers
  }

  private mutating func number(of name: String, _ variables: SubstitutionVariables) -> Int {
    let key = ExactText(name)
    if let number = numbersOfNames[key] { return number }
    var number = -1
    if let variable = variables[name] {
      let values = variable.values.map { ExactText($0.value) }
      number = valueNumbers[values] ?? valueNumbers.count
      valueNumbers[values] = number
    }
    numbersOfNames[key] = number
    return number
  }
}
