/// Explains the decisions of a file. Compiles patterns again: for people, not for speed.
package struct Explainer {
  private let association: Association
  private let matcher: Matcher
  private var context = MatchContext()

  package init(_ association: Association, _ matcher: Matcher) {
    self.association = association
    self.matcher = matcher
  }

  /// Explains the decision about a URL for an app.
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
    context.texts.load(url, parts, decoding: true)
    let entry = matcher.entryIndex(ofApp: index)
    let rules = applinks.entries[entry].rules
    var trials: [RuleTrial] = []
    for number in rules.indices.prefix((last ?? rules.count - 1) + 1) {
      let trial = RuleTrialing(
        rule: rules[number], variables: applinks.variables, texts: context.texts)
      trials.append(
        RuleTrial(
          reference: RuleReference(entry: entry, rule: number), parts: try trial.parts()))
    }
    return Explanation(decision: decision, trials: trials)
  }
}

/// One rule against one URL.
private struct RuleTrialing {
  let rule: Rule
  let variables: SubstitutionVariables
  let texts: URLTexts

  /// The parts in the order of matching, up to the first one that does not match.
  func parts() throws(PatternsTooLarge) -> [PartTrial] {
    let fields = rule.effective
    var result: [PartTrial] = []
    if let path = fields.path {
      result.append(try trial(.path, path.value, \.path))
      if result.last?.mismatch != nil { return result }
    }
    switch fields.query {
    case .whole(let pattern): result.append(try trial(.query, pattern.value, \.query))
    case .items(let conditions, _):
      for condition in conditions where result.last?.mismatch == nil {
        result.append(try trial(condition))
      }
    case nil: break
    }
    if result.last?.mismatch != nil { return result }
    if let fragment = fields.fragment {
      result.append(try trial(.fragment, fragment.value, \.fragment))
    }
    return result
  }

  private func trial(
    _ part: PartTrial.Part, _ pattern: String, _ range: KeyPath<URLTexts.Texts, Range<Int>>
  ) throws(PatternsTooLarge) -> PartTrial {
    let written = Array(texts.scalars[texts.written[keyPath: range]])
    let decoded = Array(texts.scalars[texts.decoded[keyPath: range]])
    return try trial(part, pattern, written: written, decoded: decoded)
  }

  /// The first item with that name whose value does not match, otherwise the last one.
  private func trial(_ condition: QueryItemCondition) throws(PatternsTooLarge) -> PartTrial {
    let name = condition.name.value
    let scalars = Array(name.unicodeScalars.map(\.value))
    var result: PartTrial?
    for (written, decoded) in zip(texts.written.items, texts.decoded.items) {
      let place = rule.isPercentEncoded ? written : decoded
      guard texts.scalars[texts.items[place].name].elementsEqual(scalars) else { continue }
      let one = try trial(
        .item(name, isPresent: true), condition.pattern.value,
        written: Array(texts.scalars[texts.items[written].value]),
        decoded: Array(texts.scalars[texts.items[decoded].value]))
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
    return PartTrial(
      part: part, pattern: pattern, text: string(text), mismatch: mismatch)
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
