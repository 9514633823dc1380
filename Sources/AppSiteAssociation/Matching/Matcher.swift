package import Diagnostics
package import Rules

/// An association file, compiled for matching URLs.
///
/// Compile a file once, and match many URLs: `texts` reads a URL, and `decide` then returns the
/// decision for one app.
package struct Matcher: Sendable {
  /// The apps in `details`. For each app, only the first entry that lists the app decides.
  private let named: AppEntries
  private let compiled: CompiledRules
  /// For each entry, the range of its rules in `compiled.rules`.
  private let rulesOfEntry: [Range<Int>]
  private let needsDecoding: Bool

  /// Compiles the file. Throws if the patterns of the file together have too many states or too
  /// large tables.
  package init(
    _ association: Association, budget: Budget = MatchingLimits.compiling
  ) throws(PatternsTooLarge) {
    let entries = association.entries
    named = AppEntries(entries)
    try association.applinks?.checkSize(budget)
    var compiled = CompiledRules()
    rulesOfEntry = entries.map { compiled.append($0.rules, association.variables) }
    self.compiled = compiled
    needsDecoding = compiled.conditions.contains(where: \.isDecoded)
  }

  /// The apps in `details`, without duplicates, in the order of the file.
  package var appIdentifiers: [String] { named.apps }

  /// Returns the index of an app in `appIdentifiers`; nil if no entry lists the app.
  package func appIndex(_ identifier: String) -> Int? { named.index(of: identifier) }

  /// Returns the index, in `Association.entries`, of the entry that decides the links of an app.
  /// `index` is the index of the app in `appIdentifiers`.
  package func entryIndex(ofApp index: Int) -> Int { named.entries[index] }

  /// Returns the parts of a URL that rules compare. Throws the reason if no rule can match the URL.
  ///
  /// - Parameter domain: The domain that serves the file. If the domain is nil, the host of the URL
  ///   is ignored.
  package func texts(
    of url: Span<UInt8>, domain: Domain?
  ) throws(NoMatchReason) -> URLTexts {
    let parts: URLParts
    do throws(URLFault) {
      parts = try URLParts(url)
    } catch {
      throw .fault(error)
    }
    if let domain, !domain.contains(parts, of: url) { throw .otherHost }
    return URLTexts(url, parts, decoding: needsDecoding)
  }

  /// Returns the decision about a URL for the app at an index in `appIdentifiers`.
  package func decide(_ url: URLTexts, appAt index: Int) -> RuleDecision {
    decide(url, appAt: index) { _ in nil }
  }

  /// - Parameter reading: Returns whether the entry's rule at an index would match if devices
  ///   interpreted an undocumented detail differently; nil if this makes no difference for the
  ///   rule.
  func decide(
    _ url: URLTexts, appAt index: Int, reading: (Int) -> Bool?
  ) -> RuleDecision {
    let entry = named.entries[index]
    let rules = rulesOfEntry[entry]
    let found = rules.first {
      reading($0 - rules.lowerBound) ?? compiled.matches(compiled.rules[$0], url)
    }
    guard let place = found else { return .noMatch(.noRule(of: rules.count)) }
    let reference = RuleReference(entry: entry, rule: place - rules.lowerBound)
    return compiled.rules[place].isExclusion ? .exclude(reference) : .match(reference)
  }

  package func decide(_ url: Span<UInt8>, app: String, domain: Domain?) -> RuleDecision {
    do throws(NoMatchReason) {
      let texts = try texts(of: url, domain: domain)
      guard let index = appIndex(app) else { throw .unknownApp }
      return decide(texts, appAt: index)
    } catch {
      return .noMatch(error)
    }
  }
}

/// A file's decision about a URL for one app, with the deciding rule.
package enum RuleDecision: Sendable, Equatable {
  /// The file permits the URL to open the app.
  case match(RuleReference)
  /// A rule blocks the URL.
  case exclude(RuleReference)
  /// No rule decides, so the URL stays in the browser.
  case noMatch(NoMatchReason)
}

/// Identifies a rule by two indexes: `association.applinks.entries[entry].rules[rule]`.
package struct RuleReference: Sendable, Hashable {
  package let entry: Int
  package let rule: Int

  package init(entry: Int, rule: Int) {
    self.entry = entry
    self.rule = rule
  }
}

package enum NoMatchReason: Error, Sendable, Equatable {
  case fault(URLFault)
  /// The URL's host is outside the domain that served the file.
  case otherHost
  /// No entry lists the app.
  case unknownApp
  /// The app's entry has this many rules, and none of them matches.
  case noRule(of: Int)
}

extension NoMatchReason {
  /// The reason as a sentence without a full stop.
  var words: String {
    switch self {
    case .fault(let fault): fault.message
    case .otherHost: "the file is not served for the URL's host"
    case .unknownApp: unnamedApp
    case .noRule(0): "the file has no rules for this app; Apple does not say what devices do then"
    case .noRule(let count): noMatch(of: count, "rule")
    }
  }
}
