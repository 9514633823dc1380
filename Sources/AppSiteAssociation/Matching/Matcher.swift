package import Rules

/// An association file, compiled for matching URLs.
///
/// Compile once, match often: `prepare` takes a URL, then `decide` answers for each app.
package struct Matcher: Sendable {
  /// The apps in entries with rules for links, without duplicates, in the order of the file.
  package let appIdentifiers: [String]
  private let appIndexes: [ExactText: Int]
  /// The entry of each app: the first that names it, because a second one is not merged into it.
  private let entryOfApp: [Int]
  private let compiled: CompiledRules
  /// The rules of each entry.
  private let rulesOfEntry: [Range<Int>]
  private let needsDecoding: Bool

  /// Throws if the file's patterns together have more states or tables than the limits.
  package init(
    _ association: Association, stateLimit: Int = MatchingLimits.states,
    wordLimit: Int = MatchingLimits.tableWords
  ) throws(PatternsTooLarge) {
    var identifiers: [String] = []
    var indexes: [ExactText: Int] = [:]
    var entryOfApp: [Int] = []
    let entries = association.applinks?.entries ?? []
    for (number, entry) in entries.enumerated() {
      for identifier in entry.appIdentifiers {
        let key = ExactText(identifier.value)
        guard indexes[key] == nil else { continue }
        indexes[key] = identifiers.count
        identifiers.append(identifier.value)
        entryOfApp.append(number)
      }
    }
    appIdentifiers = identifiers
    appIndexes = indexes
    self.entryOfApp = entryOfApp
    try association.applinks?.checkSize(states: stateLimit, words: wordLimit)
    let variables = association.applinks?.variables ?? .empty
    var compiled = CompiledRules(limits: .init())
    rulesOfEntry = entries.map { compiled.append($0.rules, variables) }
    self.compiled = compiled
    needsDecoding = compiled.conditions.contains(where: \.isDecoded)
  }

  /// The index of an app in `appIdentifiers`.
  package func appIndex(_ identifier: String) -> Int? { appIndexes[ExactText(identifier)] }

  /// The entry that decides for an app, as an index into the model's entries.
  package func entryIndex(ofApp index: Int) -> Int { entryOfApp[index] }

  /// Takes a URL into the context. Returns why it can match nothing, if so.
  ///
  /// Without a domain the URL's host is ignored.
  package func prepare(
    _ url: Span<UInt8>, domain: Domain?, in context: inout MatchContext
  ) -> NoMatchReason? {
    do throws(URLFault) {
      let parts = try URLParts(url)
      if let domain, !domain.contains(parts, of: url) { return .otherHost }
      context.texts = URLTexts(url, parts, decoding: needsDecoding)
      return nil
    } catch {
      return .fault(error)
    }
  }

  /// The decision about the prepared URL for the app with that index.
  package func decide(appAt index: Int, in context: inout MatchContext) -> RuleDecision {
    let entry = entryOfApp[index]
    let rules = rulesOfEntry[entry]
    guard
      let place = rules.first(where: { compiled.matches(compiled.rules[$0], context.texts) })
    else { return .noMatch(.noRule) }
    let reference = RuleReference(entry: entry, rule: place - rules.lowerBound)
    return compiled.rules[place].isExclusion ? .exclude(reference) : .match(reference)
  }

  /// The decision about one URL for one app.
  package func decide(
    _ url: Span<UInt8>, app: String, domain: Domain?, in context: inout MatchContext
  ) -> RuleDecision {
    if let reason = prepare(url, domain: domain, in: &context) { return .noMatch(reason) }
    guard let index = appIndex(app) else { return .noMatch(.unknownApp) }
    return decide(appAt: index, in: &context)
  }
}

/// The URL that is matched.
package struct MatchContext {
  var texts = URLTexts()

  package init() {}
}
