package import Diagnostics

/// The platform whose apps a file lists.
package enum LinkPlatform: Sendable, Hashable, CaseIterable {
  case apple, android

  /// The file's name in messages.
  package var fileName: String {
    switch self {
    case .apple: "the association file"
    case .android: "assetlinks.json"
    }
  }

  /// The suffix that follows an app's name in messages.
  var suffix: String { self == .android ? " on Android" : "" }

  /// If true, an expectation without an app is about a device on which all apps of the file are
  /// installed. If false, the expectation is about each app separately.
  var judgesAppsTogether: Bool { self == .apple }
}

/// Apple's or Android's file that decides which links open which apps. Matching, expectations and
/// reports use only this protocol.
package protocol LinkFile: Sendable {
  /// The platform whose devices read the file.
  var platform: LinkPlatform { get }
  /// The text of the file. The positions of rules are ranges of this text.
  var source: SourceText { get }
  /// The apps with links, without duplicates, in the order of the file.
  var apps: [String] { get }
  /// Returns an app's rules in the order in which devices try them.
  func rules(of app: String) -> [LinkRule]
  /// Returns the maximum number of rules that must be compared with a URL to find the decisions for
  /// these apps.
  func mostTrials(for apps: [String]) -> Int
  /// Returns the decision about a URL for each of the apps, in their order.
  func decide(_ url: String, for apps: [String]) -> [LinkDecision]
  /// Returns the app's rules that are compared with the URL, up to the deciding rule. Empty if no
  /// rule is compared.
  func trials(of url: String, app: String) throws(PatternsTooLarge) -> [LinkTrial]
  /// Returns a remark for each app whose decision depends on undocumented behavior of the platform,
  /// and nil for other apps. The remark is a sentence without a full stop.
  func remarks(on url: String, for apps: [String]) -> [String?]
}

extension LinkFile {
  package func remarks(on url: String, for apps: [String]) -> [String?] { apps.map { _ in nil } }
}

/// A file's decision about a URL for an app.
package struct LinkDecision: Sendable, Equatable {
  package let outcome: LinkOutcome
  /// The rule that decides; nil if no rule decides.
  package let rule: LinkRule?
  /// If no rule decides, the reason as a sentence; otherwise empty.
  package let reason: String

  package init(_ outcome: LinkOutcome, rule: LinkRule? = nil, reason: String = "") {
    self.outcome = outcome
    self.rule = rule
    self.reason = reason
  }

  /// Returns the deciding rule and its position. If no rule decides, returns the reason.
  package func words(in source: SourceText) -> String {
    rule.map { "by \(source.placeText(of: $0.range)) \(source.excerpt(of: $0.range))" } ?? reason
  }
}

/// The reason in the decision for an app that the file does not list for links.
package let unnamedApp = "the file does not list this app for links"

/// Returns the reason in a decision that none of an app's `count` rules matches.
///
/// - Parameter word: The word for one rule, such as `dynamic rule`.
package func noMatch(of count: Int, _ word: String) -> String {
  count == 1
    ? "the only \(word) does not match" : "none of the \(count) \(word)s matches"
}

/// A rule, identified by its place in the file.
package struct LinkRule: Sendable, Equatable {
  /// The entry of Apple's file that contains a rule.
  package struct Entry: Sendable, Equatable {
    /// The entry's index in the order of the file.
    package let index: Int
    /// The entry's index or key in `details`.
    package let name: JSONTree

    package init(index: Int, name: JSONTree) {
      self.index = index
      self.name = name
    }
  }

  /// The rule's entry; nil on Android.
  package let entry: Entry?
  /// The index of the rule in its list, from 0. All elements of the list have an index, even those
  /// that are not rules.
  package let index: Int
  /// The word for this kind of rule in messages, such as `component`.
  package let word: String
  package let excludes: Bool
  package let range: Range<Int>

  package init(entry: Entry?, index: Int, word: String, excludes: Bool, range: Range<Int>) {
    self.entry = entry
    self.index = index
    self.word = word
    self.excludes = excludes
    self.range = range
  }
}

/// The comparison of a rule with a URL.
package struct LinkTrial: Sendable {
  package let rule: LinkRule
  package let isMatch: Bool
  /// A sentence about the parts that matched, or about the first part that did not match.
  package let sentence: String

  package init(rule: LinkRule, isMatch: Bool, sentence: String) {
    self.rule = rule
    self.isMatch = isMatch
    self.sentence = sentence
  }
}

extension SourceText {
  /// The path, line and column at which a range begins, such as `site.json:12:9`.
  package func placeText(of range: Range<Int>) -> String {
    let place = place(of: range)
    return "\(path):\(place.line):\(place.column)"
  }

  /// The text of a range, written on one line and cut to 120 characters.
  package func excerpt(of range: Range<Int>) -> String {
    let text = String(decoding: bytes[range], as: UTF8.self)
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count <= 120 ? line : line.prefix(119) + "…"
  }
}

/// Thrown if the patterns of a file are too large to compile.
package struct PatternsTooLarge: Error, Equatable {
  package init() {}
}

/// The message of `PatternsTooLarge`.
package let tooLargePatterns =
  "the patterns are too large to be compiled; give variables fewer values or use them less often"

/// What happens to a link because of a file.
package enum LinkOutcome: String, Sendable, Hashable, CaseIterable {
  /// The link opens an app.
  case opens
  /// A rule keeps the link in the browser.
  case blocked
  /// No rule decides, so the link stays in the browser.
  case browser
}
