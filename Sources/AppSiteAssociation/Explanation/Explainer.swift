package import Rules

/// Explains a file's decisions. Recompiles patterns: built for people, not for speed.
package struct Explainer {
  private let association: Association
  private let matcher: Matcher
  private var context = MatchContext()

  package init(_ association: Association, _ matcher: Matcher) {
    self.association = association
    self.matcher = matcher
  }

  /// Explains how the file decides a URL for an app.
  package mutating func explain(
    _ url: Span<UInt8>, app: String, domain: Domain?
  ) throws(PatternsTooLarge) -> Explanation {
    let decision = matcher.decide(url, app: app, domain: domain, in: &context)
    guard let index = matcher.appIndex(app), let applinks = association.applinks,
      let parts = try? URLParts(url)
    else { return Explanation(decision: decision) }
    let last: Int?
    switch decision {
    case .match(let reference), .exclude(let reference): last = reference.rule
    case .noMatch(.noRule): last = nil
    case .noMatch: return Explanation(decision: decision)
    }
    let texts = URLTexts(url, parts, decoding: true)
    let entry = matcher.entryIndex(ofApp: index)
    let rules = applinks.entries[entry].rules
    var trials: [RuleTrial] = []
    for number in rules.indices.prefix((last ?? rules.count - 1) + 1) {
      let trial = RuleTrialing(rule: rules[number], variables: applinks.variables, texts: texts)
      trials.append(
        RuleTrial(reference: RuleReference(entry: entry, rule: number), parts: try trial.parts()))
    }
    return Explanation(decision: decision, trials: trials)
  }
}

/// One rule, tried on one URL.
private struct RuleTrialing {
  let rule: Rule
  let variables: SubstitutionVariables
  let texts: URLTexts

  /// Returns the parts in matching order, up to the first that does not match.
  func parts() throws(PatternsTooLarge) -> [PartTrial] {
    let fields = rule.effective
    var result: [PartTrial] = []
    if let path = fields.path {
      result.append(try trial(.path, path.value))
      if result.last?.mismatch != nil { return result }
    }
    switch fields.query {
    case .whole(let pattern): result.append(try trial(.query, pattern.value))
    case .items(let conditions, _):
      for condition in conditions where result.last?.mismatch == nil {
        result.append(try trial(condition))
      }
    case nil: break
    }
    if result.last?.mismatch != nil { return result }
    if let fragment = fields.fragment {
      result.append(try trial(.fragment, fragment.value))
    }
    return result
  }

  private func trial(
    _ part: URLPart, _ pattern: String
  ) throws(PatternsTooLarge) -> PartTrial {
    let tried: PartTrial.Part =
      switch part {
      case .path: .path
      case .query: .query
      case .fragment: .fragment
      }
    return try trial(tried, pattern, written: texts.written[part], decoded: texts.decoded[part])
  }

  /// Tries a query item condition on the first item of that name that fails, or else on the last.
  private func trial(_ condition: QueryItemCondition) throws(PatternsTooLarge) -> PartTrial {
    let name = condition.name.value
    let scalars = Array(name.unicodeScalars.map(\.value))
    var result: PartTrial?
    for (written, decoded) in zip(texts.written.items, texts.decoded.items) {
      guard (rule.isPercentEncoded ? written : decoded).name == scalars else { continue }
      let one = try trial(
        .item(name, isPresent: true), condition.pattern.value, written: written.value,
        decoded: decoded.value)
      if one.mismatch != nil { return one }
      result = one
    }
    if let result { return result }
    return try trial(
      .item(name, isPresent: false), condition.pattern.value, written: [], decoded: [])
  }

  private func trial(
    _ part: PartTrial.Part, _ pattern: String, written: [UInt32], decoded: [UInt32]
  ) throws(PatternsTooLarge) -> PartTrial {
    let text = rule.isPercentEncoded ? written : decoded
    let other = rule.isPercentEncoded ? decoded : written
    let automaton = try compile(part, pattern, caseSensitive: rule.isCaseSensitive)
    var mismatch: Mismatch?
    if var found = automaton.mismatch(text) {
      if let name = undefinedVariable(pattern) {
        found = found.because(.undefinedVariable(name))
      } else if automaton.mismatch(other) == nil {
        found = found.because(.percentEncoding(!rule.isPercentEncoded))
      } else if rule.isCaseSensitive,
        try compile(part, pattern, caseSensitive: false).mismatch(text) == nil
      {
        found = found.because(.letterCase)
      }
      mismatch = found
    }
    return PartTrial(part: part, pattern: pattern, text: string(text), mismatch: mismatch)
  }

  private func compile(
    _ part: PartTrial.Part, _ pattern: String, caseSensitive: Bool
  ) throws(PatternsTooLarge) -> PatternAutomaton {
    try PatternAutomaton(
      pattern, subject: part == .path ? .path : .text, variables: variables,
      caseSensitive: caseSensitive)
  }

  private func undefinedVariable(_ pattern: String) -> String? {
    for part in PatternSyntax(pattern).parts {
      if case .variable(let name) = part.token, variables[name] == nil,
        PredefinedVariable(rawValue: name) == nil
      {
        return name
      }
    }
    return nil
  }
}

extension Mismatch {
  fileprivate func because(_ cause: Cause) -> Mismatch {
    Mismatch(reached: reached, expected: expected, couldEnd: couldEnd, cause: cause)
  }
}

/// The text of scalars; invalid ones become U+FFFD.
func string(_ scalars: some Sequence<UInt32>) -> String {
  var text = ""
  for value in scalars { text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
  return text
}

extension PatternAutomaton {
  /// Finds where the pattern stops matching the text; nil if it matches.
  func mismatch(_ text: [UInt32]) -> Mismatch? {
    var set = initialStates
    for (index, symbol) in text.enumerated() {
      let next = step(set, symbolClass: symbolClass(of: symbol))
      if next.isEmpty { return mismatch(reached: index, set) }
      set = next
    }
    return isAccepting(set) ? nil : mismatch(reached: text.count, set)
  }

  private func mismatch(reached: Int, _ set: StateSet) -> Mismatch {
    Mismatch(reached: reached, expected: expectations(set), couldEnd: isAccepting(set), cause: nil)
  }

  /// Describes the possible next characters.
  private func expectations(_ set: StateSet) -> [String] {
    let isPossible = (0..<classCount).map { !step(set, symbolClass: $0).isEmpty }
    if isPossible[0] { return ["any character"] }
    var symbols = Set(namedSymbols.filter { isPossible[symbolClass(of: $0)] })
    var result: [String] = []
    for (words, range) in Self.groups where symbols.isSuperset(of: range) {
      symbols.subtract(range)
      result.append(words)
    }
    return result + symbols.sorted().map { "`" + string([$0]) + "`" }
  }

  private static let groups: [(String, ClosedRange<UInt32>)] = [
    ("a digit", 0x30...0x39), ("an upper-case letter", 0x41...0x5A),
    ("a lower-case letter", 0x61...0x7A),
  ]
}
