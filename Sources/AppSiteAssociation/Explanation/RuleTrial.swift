internal import Rules

/// The comparison of a rule with one URL, made to explain a decision. The patterns are compiled
/// again, because the speed of an explanation does not matter.
struct RuleTrial {
  private let rule: Rule
  private let variables: SubstitutionVariables
  private let texts: URLTexts
  /// The parts of the URL that were compared, in the order of comparison. Parts after the first
  /// part that does not match are omitted. Empty for a rule without conditions, because such a rule
  /// matches every URL.
  private var parts: [PartTrial] = []

  /// - Parameter texts: The parts of the URL, as written and decoded.
  init(
    _ rule: Rule, _ variables: SubstitutionVariables, _ texts: URLTexts
  ) throws(PatternsTooLarge) {
    self.rule = rule
    self.variables = variables
    self.texts = texts
    for (part, item, pattern) in rule.effective.patterns where parts.last?.mismatch == nil {
      if let item {
        parts.append(try trial(ofItem: item.value, pattern.value))
      } else {
        parts.append(
          try trial(
            part, pattern.value, written: texts.written[part], decoded: texts.decoded[part]))
      }
    }
  }

  var isMatch: Bool { parts.last?.mismatch == nil }

  /// A phrase for each compared part, such as: path matched `/help/*`; query `articleNumber` has 3
  /// characters, but `????` needs 4
  var sentence: String {
    parts.isEmpty ? "has no conditions" : parts.map(\.sentence).joined(separator: "; ")
  }

  /// Compares a pattern with all query items that have this name. Returns the first comparison that
  /// fails. If none fails, returns the last comparison.
  private func trial(ofItem name: String, _ pattern: String) throws(PatternsTooLarge) -> PartTrial {
    let scalars = Array(name.unicodeScalars.map(\.value))
    var result: PartTrial?
    for (written, decoded) in zip(texts.written.items, texts.decoded.items) {
      guard (rule.isPercentEncoded ? written : decoded).name == scalars else { continue }
      let one = try trial(
        .query, item: (name, isPresent: true), pattern, written: written.value,
        decoded: decoded.value)
      if one.mismatch != nil { return one }
      result = one
    }
    if let result { return result }
    return try trial(.query, item: (name, isPresent: false), pattern, written: [], decoded: [])
  }

  private func trial(
    _ part: URLPart, item: (name: String, isPresent: Bool)? = nil, _ pattern: String,
    written: [UInt32], decoded: [UInt32]
  ) throws(PatternsTooLarge) -> PartTrial {
    let text = rule.isPercentEncoded ? written : decoded
    let other = rule.isPercentEncoded ? decoded : written
    let automaton = try compile(part, pattern, caseSensitive: rule.isCaseSensitive)
    var mismatch = automaton.mismatch(text)
    if mismatch != nil {
      if let name = undefinedVariable(pattern) {
        mismatch?.cause = .undefinedVariable(name)
      } else if automaton.mismatch(other) == nil {
        mismatch?.cause = .percentEncoding(!rule.isPercentEncoded)
      } else if rule.isCaseSensitive,
        try compile(part, pattern, caseSensitive: false).mismatch(text) == nil
      {
        mismatch?.cause = .letterCase
      }
    }
    return PartTrial(
      part: part, item: item, pattern: pattern, text: string(text), mismatch: mismatch)
  }

  private func compile(
    _ part: URLPart, _ pattern: String, caseSensitive: Bool
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

/// Returns the text that consists of these scalars. Invalid scalars become U+FFFD.
func string(_ scalars: some Sequence<UInt32>) -> String {
  var text = ""
  for value in scalars { text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
  return text
}

extension PatternAutomaton {
  /// Returns where the pattern stops matching the text; nil if the pattern matches the whole text.
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
    Mismatch(reached: reached, expected: expectations(set), couldEnd: isAccepting(set))
  }

  /// Returns descriptions of the characters that may come next, such as "a digit".
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
