internal import Diagnostics
internal import Rules

/// A condition on one part of a URL. The condition tests either the whole text of the part or, in a
/// query, the values of the items with one name.
struct Condition: Sendable, Hashable {
  let part: URLPart
  /// The index of the pattern in `CompiledRules.patterns`.
  let pattern: Int
  /// Whether the pattern is compared with the percent-decoded text instead of the text as written.
  let isDecoded: Bool
  /// The name of the query item whose values are tested; nil if the condition tests the whole text.
  let name: [UInt32]?
}

/// A rule in the form of conditions on the parts of a URL. The rule matches if the URL meets all
/// conditions.
struct CompiledRule: Sendable {
  /// For each part of a URL, the sorted indexes of the rule's conditions, without duplicates.
  /// Conditions that every URL meets are omitted.
  var conditions: [[Int]] = [[], [], []]
  var isExclusion = false
  /// Whether one of the rule's patterns was too large to compile.
  var isTooLarge = false

  /// Whether the rule has no condition on this part or any later part.
  func isUnrestricted(from part: URLPart?) -> Bool {
    guard let part else { return true }
    return conditions[part.rawValue...].allSatisfy(\.isEmpty)
  }

  /// Whether both rules have the same conditions on this part and on each later part.
  func asksTheSame(as other: CompiledRule, from part: URLPart = .path) -> Bool {
    conditions[part.rawValue...] == other.conditions[part.rawValue...]
  }
}

/// Rules with compiled patterns. Patterns and conditions that are equal are stored only once.
struct CompiledRules: Sendable {
  /// Limits and costs of one pattern: the maximum number of its states, and the fixed cost that is
  /// added to the cost of its states.
  struct PatternLimits: Sendable {
    var states = Int.max
    var fixedCost = 0
  }

  /// The compiled patterns; nil for a pattern that is too large.
  private(set) var patterns: [PatternAutomaton?] = []
  private(set) var conditions: [Condition] = []
  private(set) var rules: [CompiledRule] = []
  /// The remaining budget for compiling patterns. Compiling a pattern costs one operation for each
  /// state, the fixed cost in `limits`, and the bytes of the pattern's tables. A pattern that costs
  /// more than the remaining budget is treated as too large.
  private(set) var budget: Budget
  private let limits: PatternLimits

  private var indexesOfPatterns: [PatternKey: Int] = [:]
  private var indexesOfConditions: [Condition: Int] = [:]
  private var numbersOfValues: [[ExactText]: Int] = [:]

  /// The key of a compiled pattern. Patterns with equal keys match the same texts. The key contains
  /// the values of the pattern's variables, because two compared files can define the same variable
  /// differently.
  private struct PatternKey: Hashable {
    let pattern: ExactText
    /// For each variable in the pattern, the number assigned to the variable's list of values. Nil
    /// if the file does not define the variable.
    let values: [Int?]
    let isPath: Bool
    let isCaseSensitive: Bool
  }

  init(budget: Budget = Budget(), of limits: PatternLimits = PatternLimits()) {
    self.budget = budget
    self.limits = limits
  }

  /// Appends the rules of an entry. Returns the indexes of these rules in `rules`.
  mutating func append(_ list: [Rule], _ variables: SubstitutionVariables) -> Range<Int> {
    let first = rules.count
    var source = PatternSource(variables)
    for rule in list { append(rule, &source) }
    return first..<rules.count
  }

  private mutating func append(_ rule: Rule, _ source: inout PatternSource) {
    var compiled = CompiledRule(isExclusion: rule.isExclusion)
    for (part, item, text) in rule.effective.patterns {
      let pattern = index(of: text.value, part, rule, &source)
      let automaton = patterns[pattern]
      if automaton == nil { compiled.isTooLarge = true }
      if automaton?.acceptsEverything(part == .path ? .path : .text) == true { continue }
      let condition = Condition(
        part: part, pattern: pattern, isDecoded: !rule.isPercentEncoded,
        name: item?.value.unicodeScalars.map(\.value))
      compiled.conditions[part.rawValue].append(index(of: condition))
    }
    compiled.conditions = compiled.conditions.map { Set($0).sorted() }
    rules.append(compiled)
  }

  private mutating func index(of condition: Condition) -> Int {
    if let index = indexesOfConditions[condition] { return index }
    indexesOfConditions[condition] = conditions.count
    conditions.append(condition)
    return conditions.count - 1
  }

  private mutating func index(
    of pattern: String, _ part: URLPart, _ rule: Rule, _ source: inout PatternSource
  ) -> Int {
    let key = PatternKey(
      pattern: ExactText(pattern), values: source.values(of: pattern, &numbersOfValues),
      isPath: part == .path, isCaseSensitive: rule.isCaseSensitive)
    if let index = indexesOfPatterns[key] { return index }
    indexesOfPatterns[key] = patterns.count
    patterns.append(compile(pattern, key, &source))
    return patterns.count - 1
  }

  private mutating func compile(
    _ pattern: String, _ key: PatternKey, _ source: inout PatternSource
  ) -> PatternAutomaton? {
    let size = source.sizes.size(of: pattern).vertices
    guard size <= min(limits.states, budget.operations - limits.fixedCost),
      let automaton = try? PatternAutomaton(
        pattern, subject: key.isPath ? .path : .text, variables: source.variables,
        caseSensitive: key.isCaseSensitive, stateLimit: limits.states,
        wordLimit: max(budget.bytes, 0) / 8)
    else { return nil }
    budget.spend(size + limits.fixedCost, bytes: 8 * automaton.tableWords)
    return automaton
  }
}

/// The variables and pattern sizes of the file whose rules are being appended. Each distinct list
/// of values gets a number. Patterns are compared by these numbers, because a comparison of
/// thousands of values for each pattern would be slow.
private struct PatternSource {
  let variables: SubstitutionVariables
  var sizes: PatternSizes
  private var numbers: [ExactText: Int?] = [:]

  init(_ variables: SubstitutionVariables) {
    self.variables = variables
    sizes = PatternSizes(variables)
  }

  mutating func values(of pattern: String, _ known: inout [[ExactText]: Int]) -> [Int?] {
    guard pattern.utf8.contains(UInt8(ascii: "$")) else { return [] }
    return PatternSyntax(pattern).variables.map { part in
      guard case .variable(let name) = part.token else { return nil }
      let key = ExactText(name)
      if let number = numbers[key] { return number }
      let number = variables[name].map { variable in
        let values = variable.values.map { ExactText($0.value) }
        let number = known[values] ?? known.count
        known[values] = number
        return number
      }
      numbers[key] = .some(number)
      return number
    }
  }
}

/// Comparison of URLs with the compiled rules.
extension CompiledRules {
  func matches(_ rule: CompiledRule, _ texts: URLTexts) -> Bool {
    rule.conditions.allSatisfy { $0.allSatisfy { matches(conditions[$0], texts) } }
  }

  private func matches(_ condition: Condition, _ texts: URLTexts) -> Bool {
    guard let pattern = patterns[condition.pattern] else { return false }
    let parts = condition.isDecoded ? texts.decoded : texts.written
    guard let name = condition.name else {
      let text = parts[condition.part]
      return pattern.matches(text.span)
    }
    // All query items with this name must match. If no item has this name, the pattern is compared
    // with an empty value.
    return (parts.values[name] ?? [[]]).allSatisfy { pattern.matches($0.span) }
  }
}
