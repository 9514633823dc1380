internal import AppSiteAssociation
internal import Bytes
internal import Diagnostics
internal import JSON
internal import Rules

/// Converts the dynamic rules of one app of an `assetlinks.json` to an association file.
package struct AppleForm {
  private let list: StatementList
  private let app: LinkedApp

  /// - Parameter package: The Android app whose rules to convert. May be nil if the file contains
  ///   only one app.
  package init(_ file: AssetLinksFile, package: String?) throws(PlatformConversionFault) {
    guard let list = file.list else { throw .noList }
    self.list = list
    let apps = list.linkedApps
    let named = apps.filter { package == nil || $0.packageName == package }
    if named.count > 1 { throw .severalApps(apps.map(\.packageName)) }
    guard let app = named.first else { throw package.map { .unknownApp($0) } ?? .noApp }
    self.app = app
  }

  /// Returns the association file. `identifier` is the app identifier for Apple's systems, with its
  /// prefix.
  ///
  /// If the Android app has no dynamic rules, the returned file lets every link open the app,
  /// because Android then only checks the app's manifest.
  package func convert(app identifier: String) throws(PlatformConversionFault) -> PlatformConversion
  {
    if app.rules == nil, list.dynamicComponents(of: app.packageName) != nil {
      throw .noRules(app.packageName)
    }
    var components: [JSONTree] = []
    var losses: [ConversionLoss] = []
    for rule in app.rules ?? [] {
      let converted = RuleForApple(rule)
      losses += converted.losses
      if let component = converted.component { components.append(component) }
    }
    if app.rules == nil { components = [["/": "*"]] }
    // If no rule could be converted, write one rule that excludes every link. Apple does not
    // document which links an entry without rules matches.
    if components.isEmpty { components = [["/": "*", "exclude": true]] }
    let apps: JSONTree = [identifier.json]
    let details: JSONTree = ["appIDs": apps, "components": .array(components)]
    let services: JSONTree = [
      "applinks": ["details": [details]],
      "webcredentials": list.sharesCredentials(with: app.packageName) ? ["apps": apps] : nil,
    ]
    return PlatformConversion(tree: services, losses: losses)
  }

  /// Whether the app has no dynamic rules. If so, only the app's manifest decides which links open
  /// the app.
  package var leavesAllToManifest: Bool { app.rules == nil }
}

extension StatementList {
  fileprivate func sharesCredentials(with packageName: String) -> Bool {
    statements.contains { statement in
      statement.target?.packageName?.value == packageName
        && statement.has(.shareCredentials)
    }
  }
}

/// Converts one dynamic rule to a component that matches the same links.
private struct RuleForApple {
  private(set) var component: JSONTree?
  private(set) var losses: [ConversionLoss] = []
  private let rule: DynamicRule

  init(_ rule: DynamicRule) {
    self.rule = rule
    // A rule without a path, query or fragment matches no link. Do not convert such a rule.
    if rule.isWithoutParts { return }
    var members: [JSONTree.Member] = []
    if let path = rule.path {
      guard let tokens = pathTokens(AndroidPattern(path).tokens) else { return }
      if tokens.hasSlashesInARow {
        lose("Apple's systems merge slashes, so a pattern cannot match two slashes in a row")
        return
      }
      guard let text = text(tokens) else { return }
      members.append(.init("/", text.json))
    }
    var items: [JSONTree.Member] = []
    for item in rule.query {
      guard let item = member(of: item) else { return }
      items.append(item)
    }
    if !items.isEmpty { members.append(.init("?", .object(items))) }
    if let fragment = rule.fragment {
      guard let text = valueText(fragment, "a fragment") else { return }
      members.append(.init("#", text.json))
    }
    if rule.excludes { members.append(.init("exclude", true)) }
    if let comments = rule.comments { members.append(.init("comment", comments.json)) }
    component = .object(members)
  }

  private mutating func lose(_ message: String, isLeftOut: Bool = true) {
    losses.append(ConversionLoss(range: rule.range, message: message, isLeftOut: isLeftOut))
  }

  /// Returns the pattern with a slash at its beginning, because every path begins with a slash.
  /// Returns nil if the pattern matches no path.
  private func pathTokens(_ tokens: [AndroidPattern.Token]) -> [AndroidPattern.Token]? {
    let slash = AndroidPattern.Token.character("/")
    switch tokens.first {
    case slash, nil: return tokens
    // The first character of every path is a slash, so this `?` can only match that slash.
    case .any: return [slash] + tokens.dropFirst()
    case .star where tokens.dropFirst().first == slash: return Array(tokens.dropFirst())
    case .star: return tokens.count == 1 ? tokens : [slash] + tokens
    case .character: return nil
    }
  }

  private mutating func member(of item: (name: String, pattern: String)) -> JSONTree.Member? {
    if item.name.contains(where: { "*?=&;".contains($0) }) || item.name.isEmpty {
      lose("Apple's systems compare the name `\(item.name)` of a query item exactly")
      return nil
    }
    guard let value = valueText(item.pattern, "a query item") else { return nil }
    if value.contains(";") {
      lose("Android may split a query at `;`")
      return nil
    }
    return .init(AndroidPattern(item.name).tokens.encoded, value.json)
  }

  /// Converts the pattern of a fragment or of a query item's value. The pattern `*` becomes `?*`,
  /// because Apple's systems treat an empty fragment or value as missing.
  private mutating func valueText(_ pattern: String, _ part: String) -> String? {
    let tokens = AndroidPattern(pattern).tokens
    if tokens == [.star] {
      lose(
        "on Android `*` also accepts \(part) that is empty, but Apple's systems treat empty text "
          + "as missing; `?*` requires at least one character", isLeftOut: false)
      return "?*"
    }
    return text(tokens)
  }

  private mutating func text(_ tokens: [AndroidPattern.Token]) -> String? {
    let text = tokens.encoded
    let syntax = PatternSyntax(text)
    if !syntax.variables.isEmpty || !syntax.unclosedVariables.isEmpty {
      lose("`$(` begins a variable on Apple's systems")
      return nil
    }
    if !tokens.hasSameStars {
      let example = tokens.textOfDifference.map { ", so `\(text)` matches `\($0)` too" }
      lose(
        "on Apple's systems `*` does not stop at the first occurrence of the character that "
          + "follows `*`"
          + (example ?? ""), isLeftOut: false)
    }
    return text
  }
}

extension [AndroidPattern.Token] {
  /// The pattern as text, with its characters percent-encoded as in a URL.
  fileprivate var encoded: String {
    pattern { isWrittenInURLs($0) && $0 != "%" ? String($0) : $0.percentEncoded }
  }

  fileprivate var hasSlashesInARow: Bool {
    zip(self, dropFirst()).contains { $0 == .character("/") && $1 == .character("/") }
  }
}
