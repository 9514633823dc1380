package import Diagnostics
package import Rules

/// Decides which links open an Android app, by the dynamic rules of an `assetlinks.json`. Ignores
/// the host of a link: the result assumes that this host serves the file.
package struct AndroidLinks: LinkFile {
  package var platform: LinkPlatform { .android }
  package let source: SourceText
  private let linked: [LinkedApp]
  private let indices: [String: Int]

  /// Nil if Android cannot read the file.
  package init?(_ file: AssetLinksFile) {
    guard file.unreadable == nil, let list = file.list else { return nil }
    source = file.source
    linked = list.linkedApps
    indices = Dictionary(
      linked.enumerated().map { ($1.packageName, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package var apps: [String] { linked.map(\.packageName) }

  package func rules(of app: String) -> [LinkRule] {
    let rules = named(app)?.rules ?? []
    return rules.indices.map { rules[$0].link(at: $0) }
  }

  package func mostTrials(for apps: [String]) -> Int {
    apps.reduce(0) { $0 + (named($1)?.rules?.count ?? 0) }
  }

  package func decide(_ url: String, for apps: [String]) -> [LinkDecision] {
    do throws(URLFault) {
      let url = try AndroidURL(url)
      return apps.map { app in
        named(app)?.decision(url) ?? LinkDecision(.browser, reason: unnamedApp)
      }
    } catch {
      return apps.map { _ in LinkDecision(.browser, reason: error.message) }
    }
  }

  package func trials(of url: String, app: String) -> [LinkTrial] {
    guard let url = try? AndroidURL(url), let app = named(app), let rules = app.rules else {
      return []
    }
    let last = rules.firstIndex { $0.matches(url) } ?? rules.count - 1
    return rules.indices.prefix(last + 1).map { index in
      let mismatch = rules[index].mismatch(url)
      return LinkTrial(
        rule: rules[index].link(at: index), isMatch: mismatch == nil,
        sentence: mismatch ?? rules[index].text)
    }
  }

  private func named(_ app: String) -> LinkedApp? { indices[app].map { linked[$0] } }
}

extension LinkedApp {
  /// Returns how Android 15 and later decide about a URL, by the dynamic rules only. The decision
  /// contains the deciding rule, or the reason why no rule decides. Ignores the URL's host. Whether
  /// the app really opens also depends on the app's manifest, which must allow the link, and on the
  /// user's choices.
  package func decision(_ url: AndroidURL) -> LinkDecision {
    guard let rules else {
      return LinkDecision(.opens, reason: "no dynamic rules exist, so the app's manifest decides")
    }
    if let index = rules.firstIndex(where: { $0.matches(url) }) {
      let rule = rules[index]
      return LinkDecision(rule.excludes ? .blocked : .opens, rule: rule.link(at: index))
    }
    return LinkDecision(.browser, reason: noMatch(of: rules.count, "dynamic rule"))
  }
}

extension DynamicRule {
  fileprivate func link(at index: Int) -> LinkRule {
    LinkRule(entry: nil, index: index, word: "dynamic rule", excludes: excludes, range: range)
  }
}

/// A pattern of a dynamic rule. `?` matches any one character, `*` matches any number of
/// characters, and `?*` matches at least one character.
///
/// The text that Android's `*` matches ends before the first occurrence of the next character in
/// the pattern, and Android never tries a later occurrence. So `/a*b/c` does not match `/a1b2b/c`,
/// which Apple's `*` would match. Google documents this behavior, but not case sensitivity,
/// percent-encoding, or a wildcard after a `*`. This type compares case exactly and decodes texts
/// first, as Android's source code does. This type reads `*?` as `?*`.
struct AndroidPattern {
  enum Token: Equatable {
    case character(Unicode.Scalar)
    case any
    case star

    var isWildcard: Bool { self == .any || self == .star }
  }

  /// The tokens of the pattern. Where several wildcards follow each other, they are ordered: first
  /// every `?`, then at most one `*`.
  let tokens: [Token]
  /// Whether the pattern contains a wildcard directly after a `*`. Google does not document what
  /// this means.
  let isUndocumented: Bool

  init(_ text: String) {
    let written = Self.written(text)
    tokens = written.ordered
    isUndocumented = zip(written, written.dropFirst()).contains { $0 == .star && $1.isWildcard }
  }

  /// Returns the tokens of a pattern in the order in which they are written.
  static func written(_ text: String) -> [Token] {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "*": .star
      case "?": .any
      default: .character(scalar)
      }
    }
  }

  /// Whether the pattern matches every text, because it is a single `*`.
  var matchesEverything: Bool { tokens == [.star] }

  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var position = 0
    for (index, token) in tokens.enumerated() {
      switch token {
      case .character(let scalar):
        guard position < scalars.count, scalars[position] == scalar else { return false }
        position += 1
      case .any:
        guard position < scalars.count else { return false }
        position += 1
      case .star:
        guard index + 1 < tokens.count, case .character(let next) = tokens[index + 1] else {
          return true
        }
        guard let found = scalars[position...].firstIndex(of: next) else { return false }
        position = found
      }
    }
    return position == scalars.count
  }
}
