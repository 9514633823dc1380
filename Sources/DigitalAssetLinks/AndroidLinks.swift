package import Diagnostics
package import Rules

/// Decides which links open an app, by the dynamic rules of an `assetlinks.json`. Hosts are not
/// compared: the file applies to the host that serves it.
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
  /// Returns the decision about a URL on Android 15 and later, with the deciding rule or the reason
  /// why no rule decides. Whether the app opens also depends on its manifest, which sets the
  /// maximum scope, and on the user's choices. Hosts are not compared.
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

/// A pattern of a dynamic rule: `?` matches any character, `*` any number of characters, and `?*`
/// at least one.
///
/// Unlike Apple's `*`, Android's `*` ends at the first occurrence of the next character and never
/// backtracks: `/a*b/c` does not match `/a1b2b/c`. Google documents this behavior, but not case
/// sensitivity, percent-encoding, or wildcards after a `*`. This type compares case exactly and
/// decodes texts first, as Android's source code does, and reads `*?` as `?*`.
struct AndroidPattern {
  enum Token: Equatable {
    case character(Unicode.Scalar)
    case any
    case star

    var isWildcard: Bool { self == .any || self == .star }
  }

  /// The tokens. Each run of wildcards consists of any number of `?`, followed by at most one `*`.
  let tokens: [Token]
  /// Whether a wildcard follows a `*`, which Google does not document.
  let isUndocumented: Bool

  init(_ text: String) {
    let written = Self.written(text)
    tokens = written.ordered
    isUndocumented = zip(written, written.dropFirst()).contains { $0 == .star && $1.isWildcard }
  }

  /// Returns the tokens in the order of the text.
  static func written(_ text: String) -> [Token] {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "*": .star
      case "?": .any
      default: .character(scalar)
      }
    }
  }

  /// Whether the pattern matches every text.
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
