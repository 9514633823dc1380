package import Diagnostics
package import JSON
package import Rules

/// The compiled link rules of an association file.
package struct AppleLinks: LinkFile {
  package var platform: LinkPlatform { .apple }
  package let source: SourceText
  package let association: Association
  package let matcher: Matcher
  let domain: Domain?

  /// - Parameter domain: The domain that serves the file. If the domain is nil, the host of a URL
  ///   is ignored.
  package init(_ document: Document, domain: Domain? = nil) throws(PatternsTooLarge) {
    source = document.source
    association = Association(document.root)
    matcher = try Matcher(association)
    self.domain = domain
  }

  package var apps: [String] { matcher.appIdentifiers }

  package func rules(of app: String) -> [LinkRule] {
    guard let entry = entry(of: app) else { return [] }
    let found = association.entries[entry]
    return found.rules.indices.map { found.link($0, at: entry) }
  }

  package func mostTrials(for apps: [String]) -> Int {
    Set(apps.compactMap(entry)).reduce(0) { $0 + association.entries[$1].rules.count }
  }

  package func decide(_ url: String, for apps: [String]) -> [LinkDecision] {
    let bytes = Array(url.utf8)
    do throws(NoMatchReason) {
      let texts = try matcher.texts(of: bytes.span, domain: domain)
      // Apps of the same entry have the same rules, so the URL is compared with the rules of each
      // entry only once.
      var decisions: [Int: LinkDecision] = [:]
      return apps.map { app in
        guard let index = matcher.appIndex(app) else { return decision(.noMatch(.unknownApp)) }
        let entry = matcher.entryIndex(ofApp: index)
        let found = decisions[entry] ?? decision(matcher.decide(texts, appAt: index))
        decisions[entry] = found
        return found
      }
    } catch {
      return apps.map { _ in decision(.noMatch(error)) }
    }
  }

  package func trials(of url: String, app: String) throws(PatternsTooLarge) -> [LinkTrial] {
    let bytes = Array(url.utf8)
    guard let entry = entry(of: app),
      let parts = try? URLParts(bytes.span), domain?.contains(parts, of: bytes.span) ?? true
    else { return [] }
    let texts = URLTexts(bytes.span, parts, decoding: true)
    let found = association.entries[entry]
    var trials: [LinkTrial] = []
    for index in found.rules.indices where trials.last?.isMatch != true {
      let trial = try RuleTrial(found.rules[index], association.variables, texts)
      trials.append(
        LinkTrial(
          rule: found.link(index, at: entry), isMatch: trial.isMatch,
          sentence: trial.sentence))
    }
    return trials
  }

  /// Returns the index of the first entry that lists the app. Devices use only this first entry for
  /// the app.
  package func entry(of app: String) -> Int? { matcher.appIndex(app).map(matcher.entryIndex) }

  private func decision(_ found: RuleDecision) -> LinkDecision {
    switch found {
    case .match(let reference): LinkDecision(.opens, rule: link(reference))
    case .exclude(let reference): LinkDecision(.blocked, rule: link(reference))
    case .noMatch(let reason): LinkDecision(.browser, reason: reason.words)
    }
  }

  private func link(_ reference: RuleReference) -> LinkRule {
    association.entries[reference.entry].link(reference.rule, at: reference.entry)
  }
}

extension DetailsEntry {
  /// Returns the rule at the index `rule` in this entry. `index` is the index of the entry itself
  /// in the file's entries.
  func link(_ rule: Int, at index: Int) -> LinkRule {
    let name =
      switch position {
      case .index(let index): index.json
      case .identifier(let key): key.json
      }
    let rule = rules[rule]
    return LinkRule(
      entry: .init(index: index, name: name), index: rule.index,
      word: ruleForm == .paths ? "path" : "component", excludes: rule.isExclusion,
      range: rule.source.range)
  }
}
