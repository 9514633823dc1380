package import AppSiteAssociation
internal import Bytes
package import Diagnostics
internal import JSON
internal import Rules

/// Finds links that open an app on only one platform, according to the association file and the
/// `assetlinks.json` of one host.
package struct PlatformAgreement {
  private let links: AppleLinks
  private let paths: (apple: String, android: String)
  /// The Android apps that the host allows to open links. All these apps have dynamic rules.
  private let apps: [LinkedApp]
  /// The maximum work for finding example links, counted separately for each platform.
  private let budget: Budget

  /// The kinds of diagnostics that this type reports.
  package static let kinds = [onlyApple, onlyAndroid]

  /// Nil if the two files cannot be compared: one of the files cannot be read or lists no app for
  /// links, an Android app has no dynamic rules, or Apple's rules are too large to compile.
  ///
  /// - Parameter budget: The maximum work for finding example links, counted separately for each
  ///   platform.
  package init?(
    association: AssociationFile, assetLinks: AssetLinksFile,
    budget: Budget = Budget(operations: ReachabilityLimits.questionSteps)
  ) {
    self.budget = budget
    guard let document = association.document, let found = assetLinks.list?.linkedApps,
      found.allSatisfy({ $0.rules != nil }), !found.isEmpty
    else { return nil }
    guard let links = try? AppleLinks(document), !links.apps.isEmpty else { return nil }
    self.links = links
    paths = (association.text.path, assetLinks.source.path)
    apps = found
  }

  /// At most one note for each platform: some links open an app only on this platform. The note
  /// contains one such link as an example.
  package var notes: [Diagnostic] {
    let apple = appleExamples.filter { example in
      // On Apple's systems, `/buy/*` also matches `/buy`, because these systems ignore a trailing
      // slash. So compare also the example with a slash and with a longer path.
      let others = example.query.isEmpty && example.fragment.isEmpty ? ["", "/", "/x"] : [""]
      return others.map { example.reference + $0 }.filter(opensOnApple)
        .allSatisfy { !opensOnAndroid($0) }
    }.map(\.reference)
    let android = androidExamples.filter { opensOnAndroid($0) && !opensOnApple($0) }
    return [note(Self.onlyApple, apple, "iOS", at: paths.android)].compactMap(\.self)
      + [note(Self.onlyAndroid, android, "Android", at: paths.apple)].compactMap(\.self)
  }

  private func note(
    _ kind: Kind, _ examples: [String], _ system: String, at path: String
  ) -> Diagnostic? {
    guard let first = examples.first else { return nil }
    let more =
      switch examples.count {
      case 1: ""
      case 2: ", and so does a link that another rule opens"
      case let count: ", and so do links that \(count - 1) other rules open"
      }
    return Diagnostic(
      kind, "`\(first)` opens an app on \(system) only\(more)",
      at: .init(path: path), note: kind.consequence)
  }

  private func opensOnApple(_ url: String) -> Bool {
    links.decide(url, for: links.apps).contains { $0.outcome == .opens }
  }

  private func opensOnAndroid(_ url: String) -> Bool {
    guard let url = try? AndroidURL(url) else { return false }
    return apps.contains { $0.decision(url).outcome == .opens }
  }

  /// One example link for each of Apple's rules that opens an app. Each example is as short as
  /// possible.
  private var appleExamples: [ExampleURL] {
    guard let links = links.association.applinks else { return [] }
    var budget = budget
    let costOfExample = costOfExample
    var compiling = ReachabilityLimits.compiling
    var examples: [ExampleURL] = []
    for entry in links.entries {
      let reachability = EntryReachability(entry.rules, links.variables, compiling: &compiling)
      for index in entry.rules.indices {
        budget.spend(costOfExample)
        if case .decides(let example) = reachability.reach(of: index, budget: &budget) {
          if opensOnApple(example.reference) { examples.append(example) }
        }
      }
    }
    return examples
  }

  private var androidExamples: [String] {
    apps.flatMap { $0.rules ?? [] }.filter { !$0.excludes }.compactMap(\.example)
      .prefix(budget.operations / costOfExample).map(\.self)
  }

  /// The number of rules on both platforms with which one example link is compared. An example
  /// costs this many operations of the budget. So if the files have thousands of rules, only some
  /// rules get an example.
  private var costOfExample: Int {
    1 + links.mostTrials(for: links.apps) + apps.reduce(0) { $0 + ($1.rules?.count ?? 0) }
  }

  private static let onlyApple = Kind(
    "D180", "opens-on-apple-only", "a link opens an app on Apple's systems but no app on Android",
    "links that people share work only on some phones", nil, severity: .note,
    fix: "add the rule to dynamic_app_link_components, if the Android app has this page")
  private static let onlyAndroid = Kind(
    "D181", "opens-on-android-only", "a link opens an app on Android but no app on Apple's systems",
    "links that people share work only on some phones", nil, severity: .note,
    fix: "add the rule to components, if the app for Apple's systems has this page")
}

extension DynamicRule {
  /// A short link that matches the rule. Nil if the link would contain an encoded character, or the
  /// rule has no path, query or fragment.
  fileprivate var example: String? {
    let end = textMatching(fragment ?? "", filling: "")
    let link = link(filling: "") + (end.isEmpty ? "" : "#" + end)
    return isWithoutParts || link.contains("%") ? nil : link
  }
}
