package import Diagnostics
package import Rules

/// The links of an `assetlinks.json` according to its dynamic rules. Hosts are not compared: the
/// file applies to the host that serves it.
package struct AndroidLinks: LinkFile {
  package var platform: LinkPlatform { .android }
  package let source: SourceText
  private let linked: [LinkedApp]

  /// Nil if Android cannot read the file.
  package init?(_ file: AssetLinksFile) {
    guard file.unreadable == nil, let list = file.list else { return nil }
    source = file.source
    linked = list.linkedApps
  }

  package var apps: [String] { linked.map(\.packageName) }

  package func rules(of app: String) -> [LinkRule] {
    let rules = named(app)?.rules ?? []
    return rules.indices.map { rules[$0].link(at: $0) }
  }

  package func decide(_ url: String, for apps: [String]) -> [LinkDecision] {
    do throws(URLFault) {
      let url = try AndroidURL(url)
      return apps.map { app in
        named(app)?.decision(url)
          ?? LinkDecision(.browser, reason: "the file does not name this app for links")
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

  private func named(_ app: String) -> LinkedApp? { linked.first { $0.packageName == app } }
}

extension LinkedApp {
  /// Returns what the file says about a URL on Android 15 and later, with the rule that decides or
  /// the reason why none does. Whether the app opens also depends on its manifest, which sets the
  /// widest scope, and on the user's choices. Hosts are not compared.
  package func decision(_ url: AndroidURL) -> LinkDecision {
    guard let rules else {
      return LinkDecision(.opens, reason: "there are no dynamic rules, so its manifest decides")
    }
    if let index = rules.firstIndex(where: { $0.matches(url) }) {
      let rule = rules[index]
      return LinkDecision(rule.excludes ? .blocked : .opens, rule: rule.link(at: index))
    }
    return LinkDecision(
      .browser,
      reason: rules.count == 1
        ? "its only dynamic rule does not match"
        : "none of its \(rules.count) dynamic rules matches")
  }
}

extension DynamicRule {
  fileprivate func link(at index: Int) -> LinkRule {
    LinkRule(entry: nil, index: index, word: "dynamic rule", excludes: excludes, range: range)
  }
}
