package import Diagnostics

/// The system whose apps a file is about.
package enum LinkPlatform: Sendable, Hashable, CaseIterable {
  case apple, android

  /// The file, in messages.
  package var fileName: String {
    switch self {
    case .apple: "the association file"
    case .android: "assetlinks.json"
    }
  }

  /// After the name of an app.
  var suffix: String { self == .android ? " on Android" : "" }

  /// Whether an expectation without an app is about a device that has all apps; otherwise it is
  /// about each app.
  var judgesAppsTogether: Bool { self == .apple }
}

/// A file that says which links open which apps: Apple's or Android's. Matching, expectations and
/// their reports know nothing else of a file.
package protocol LinkFile: Sendable {
  static var platform: LinkPlatform { get }
  /// The text that places and rules are read in.
  var source: SourceText { get }
  /// The apps with links, each once, in the order of the file.
  var apps: [String] { get }
  /// The rules of an app, in the order in which they are tried.
  func rules(of app: String) -> [LinkRule]
  /// The decisions about a URL, one for each app.
  func decide(_ url: String, for apps: [String]) -> [LinkDecision]
  /// The rules that are tried, up to the one that decides. Empty if none is.
  func trials(of url: String, app: String) throws(PatternsTooLarge) -> [LinkTrial]
}

/// What a file says about a URL and an app.
package struct LinkDecision: Sendable, Equatable {
  package let outcome: LinkOutcome
  /// The rule that decides; nil if none does.
  package let rule: LinkRule?
  /// Why no rule decides, as a sentence; empty if one does.
  package let reason: String

  package init(_ outcome: LinkOutcome, rule: LinkRule? = nil, reason: String = "") {
    self.outcome = outcome
    self.rule = rule
    self.reason = reason
  }

  /// The rule that decides, with its place, or why none does.
  package func words(in source: SourceText) -> String {
    rule.map { "by \(source.placeText(of: $0.range)) \(source.excerpt(of: $0.range))" } ?? reason
  }
}

/// A rule, by its place in the file.
package struct LinkRule: Sendable, Equatable {
  /// The entry that a rule of Apple's file stands in.
  package struct Entry: Sendable, Equatable {
    /// Counted in the order of the file.
    package let index: Int
    /// Its index or its key in `details`, as JSON.
    package let name: String

    package init(index: Int, name: String) {
      self.index = index
      self.name = name
    }
  }

  /// Nil on Android.
  package let entry: Entry?
  /// Counted from 0, including elements of the list that are not rules.
  package let index: Int
  /// What an element of the list is called.
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

/// A rule that was tried.
package struct LinkTrial: Sendable {
  package let rule: LinkRule
  package let isMatch: Bool
  /// Which parts matched, or the first that did not.
  package let sentence: String

  package init(rule: LinkRule, isMatch: Bool, sentence: String) {
    self.rule = rule
    self.isMatch = isMatch
    self.sentence = sentence
  }
}

extension LinkFile {
  package var platform: LinkPlatform { Self.platform }
}

extension SourceText {
  /// `site.json:12:9`
  package func placeText(of range: Range<Int>) -> String {
    let place = place(of: range)
    return "\(path):\(place.line):\(place.column)"
  }

  /// A part of the text on one line, cut to 120 characters.
  package func excerpt(of range: Range<Int>) -> String {
    let text = String(decoding: bytes[range], as: UTF8.self)
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count <= 120 ? line : line.prefix(119) + "…"
  }
}

/// The patterns of a file are too large to be compiled.
package struct PatternsTooLarge: Error, Equatable {
  package init() {}
}

/// The message of `PatternsTooLarge`.
package let tooLargePatterns =
  "the patterns are too large to be compiled; give variables fewer values or use them less often"
