/// The rules of a file, flat: indexes instead of objects, equal patterns compiled once.
struct MatchingProgram: Sendable {
  private struct CompiledRule {
    var isExclusion = false
    var isDecoded = false
    /// Indexes of automata; -1 for a part that matches whatever it is.
    var path: Int32 = -1
    var query: Int32 = -1
    var fragment: Int32 = -1
    /// Indexes into `items`.
    var firstItem: Int32 = 0
    var itemEnd: Int32 = 0
  }

  private struct CompiledItem {
    /// A range of `names`.
    let nameStart: Int32
    let nameEnd: Int32
    let value: Int32
  }

  /// The rules of each entry, as ranges of `rules`.
  private var entries: [Range<Int>] = []
  private var rules: [CompiledRule] = []
  private var items: [CompiledItem] = []
  /// The names of query items, as Unicode scalars one after the other.
  private var names: [UInt32] = []
  private var automata: [PatternAutomaton] = []
  private(set) var needsDecoding = false

  init(
    _ association: Association, stateLimit: Int, wordLimit: Int
  ) throws(PatternsTooLarge) {
    guard let applinks = association.applinks else { return }
    try applinks.checkSize(states: stateLimit, words: wordLimit)
    var cache = PatternCache(applinks.variables)
    for entry in applinks.entries {
      let first = rules.count
      for rule in entry.rules { try append(rule, &cache) }
      entries.append(first..<rules.count)
    }
    automata = cache.automata
  }

  private mutating func append(_ rule: Rule, _ cache: inout PatternCache) throws(PatternsTooLarge) {
    let fields = rule.effective
    let caseSensitive = rule.isCaseSensitive
    var compiled = CompiledRule(
      isExclusion: rule.isExclusion, isDecoded: !rule.isPercentEncoded)
    if let path = fields.path {
      compiled.path = try cache.index(path.value, .path, caseSensitive)
    }
    if let fragment = fields.fragment {
      compiled.fragment = try cache.index(fragment.value, .text, caseSensitive)
    }
    compiled.firstItem = Int32(truncatingIfNeeded: items.count)
    switch fields.query {
    case .whole(let pattern): compiled.query = try cache.index(pattern.value, .text, caseSensitive)
    case .items(let conditions, _):
      for condition in conditions {
        let value = try cache.index(condition.pattern.value, .text, caseSensitive)
        if value < 0 { continue }
        let start = names.count
        names.append(contentsOf: condition.name.value.unicodeScalars.lazy.map(\.value))
        items.append(
          CompiledItem(
            nameStart: Int32(truncatingIfNeeded: start),
            nameEnd: Int32(truncatingIfNeeded: names.count), value: value))
      }
    case nil: break
    }
    compiled.itemEnd = Int32(truncatingIfNeeded: items.count)
    if compiled.isDecoded { needsDecoding = true }
    rules.append(compiled)
  }
}

extension MatchingProgram {
  /// The first rule of the entry that matches the URL in the context.
  func decide(
    entry: Int, _ texts: URLTexts, _ simulation: inout Simulation
  ) -> Decision {
    let range = entries[entry]
    for index in range where matches(rules[index], texts, &simulation) {
      let reference = RuleReference(entry: entry, rule: index - range.lowerBound)
      return rules[index].isExclusion ? .exclude(reference) : .match(reference)
    }
    return .noMatch(.noRule)
  }

  @inline(__always)
  private func matches(
    _ rule: CompiledRule, _ texts: URLTexts, _ simulation: inout Simulation
  ) -> Bool {
    let parts = rule.isDecoded ? texts.decoded : texts.written
    return matches(rule.path, texts, parts.path, &simulation)
      && matches(rule.query, texts, parts.query, &simulation)
      && matches(rule.fragment, texts, parts.fragment, &simulation)
      && matchesItems(rule, texts, parts.items, &simulation)
  }

  @inline(__always)
  private func matches(
    _ automaton: Int32, _ texts: URLTexts, _ text: Range<Int>, _ simulation: inout Simulation
  ) -> Bool {
    if automaton < 0 { return true }
    return automata[Int(automaton)].matches(
      texts.scalars.span.extracting(text), &simulation)
  }

  /// Each item that the rule names: every one of that name in the URL must match, and an item that
  /// is not there counts as an empty one.
  private func matchesItems(
    _ rule: CompiledRule, _ texts: URLTexts, _ present: Range<Int>,
    _ simulation: inout Simulation
  ) -> Bool {
    for index in Int(rule.firstItem)..<Int(rule.itemEnd) {
      let item = items[index]
      var isPresent = false
      for place in present {
        guard hasName(texts, texts.items[place].name, item) else { continue }
        isPresent = true
        let value = texts.items[place].value
        if !matches(item.value, texts, value, &simulation) { return false }
      }
      if !isPresent, !matches(item.value, texts, 0..<0, &simulation) { return false }
    }
    return true
  }

  private func hasName(_ texts: URLTexts, _ name: Range<Int>, _ item: CompiledItem) -> Bool {
    let start = Int(item.nameStart)
    guard name.count == Int(item.nameEnd) - start else { return false }
    for offset in 0..<name.count
    where texts.scalars[name.lowerBound + offset] != names[start + offset] {
      return false
    }
    return true
  }
}
