internal import Bytes
internal import JSON
package import Rules

/// An Android app that the domain allows to open its links, and the dynamic rules for this app.
package struct LinkedApp: Sendable {
  package let packageName: String
  /// The dynamic rules in the order of the file; the first rule that matches a link decides. Nil if
  /// the app has no dynamic rules, or if Android discards the rules. In both cases, every link that
  /// the app's manifest allows opens the app.
  package let rules: [DynamicRule]?
}

/// A dynamic rule: an element of `dynamic_app_link_components`.
package struct DynamicRule: Sendable {
  package let path: String?
  let fragment: String?
  /// The conditions on query items. The rule matches only URLs that fulfill all these conditions,
  /// in any order.
  let query: [(name: String, pattern: String)]
  package let excludes: Bool
  /// The comment of the rule, which is only for people.
  let comments: String?
  /// The range of the rule in the file.
  package let range: Range<Int>

  init(_ value: Value) {
    path = value.member("/")?.string
    fragment = value.member("#")?.string
    query =
      value.member("?")?.members.map { (name: $0.key, pattern: $0.value.string ?? "") } ?? []
    excludes = value.member("exclude")?.bool ?? false
    comments = value.member("comments")?.string
    range = value.range
  }

  /// Whether the rule has no path, query or fragment. In Android's source code such a rule never
  /// matches.
  var isWithoutParts: Bool { path == nil && fragment == nil && query.isEmpty }

  func matches(_ url: AndroidURL) -> Bool { mismatch(url) == nil }

  /// A sentence about the first condition that the URL does not fulfill; nil if the rule matches
  /// the URL.
  package func mismatch(_ url: AndroidURL) -> String? {
    if isWithoutParts { return "the rule has no path, query or fragment" }
    if let path, !AndroidPattern(path).matches(url.path) {
      return "path `\(url.path)` does not match `\(path)`"
    }
    if let fragment {
      guard let text = url.fragment else { return "the URL has no fragment" }
      if !AndroidPattern(fragment).matches(text) {
        return "fragment `\(text)` does not match `\(fragment)`"
      }
    }
    let missing = query.first { item in
      let pattern = AndroidPattern("\(item.name)=\(item.pattern)")
      return !url.query.contains(where: pattern.matches)
    }
    return missing.map { "no query item matches `\($0.name)=\($0.pattern)`" }
  }

  /// Returns a link that matches the rule's path and query. The link has no fragment.
  ///
  /// - Parameter filling: The text that replaces each `*` of the patterns.
  func link(filling: String) -> String {
    let path = textMatching(path ?? "/", filling: filling)
    let items = query.map {
      $0.name.percentEncodedPath + "=" + textMatching($0.pattern, filling: filling)
    }
    return (path.hasPrefix("/") ? path : "/" + path)
      + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// The conditions of the rule, as messages show them.
  package var text: String {
    var parts = path.map { ["path \($0)"] } ?? []
    parts += query.map { "query \($0.name)=\($0.pattern)" }
    parts += fragment.map { ["fragment \($0)"] } ?? []
    return parts.joined(separator: ", ")
  }
}

/// Returns a percent-encoded text that matches a pattern. `filling` replaces each `*`.
func textMatching(_ pattern: String, filling: String) -> String {
  pattern.replacing("*", with: filling).replacing("?", with: "x").percentEncodedPath
}

/// The parts of a URL in the form in which Android compares them: decoded, but not normalized.
package struct AndroidURL: Sendable {
  package let path: String
  /// The query items, each as `name=value`. Like Android, decodes the whole query before splitting
  /// it into items.
  package let query: [String]
  package let fragment: String?

  package init(_ url: String) throws(URLFault) {
    let bytes = Array(url.utf8)
    let parts = try URLParts(bytes.span)
    func decoded(_ range: Range<Int>) -> String {
      String(decoding: bytes[range].percentDecoded, as: UTF8.self)
    }
    path = decoded(parts.path)
    fragment = parts.fragment.map(decoded)
    let text = parts.query.map(decoded) ?? ""
    var items = text.split(separator: "&").map(String.init)
    if items.count == 1 { items = text.split(separator: ";").map(String.init) }
    query = items
  }
}

extension StatementList {
  /// The Android apps that the statements allow to open links, without duplicates, in the order of
  /// the list.
  package var linkedApps: [LinkedApp] {
    var apps: [LinkedApp] = []
    for statement in statements
    where statement.has(.openLinks) {
      guard let target = statement.target, target.kind == .app, let name = target.packageName,
        !apps.contains(where: { $0.packageName == name.value })
      else { continue }
      let rules = dynamicComponents(of: name.value).flatMap {
        hasMalformedRules($0) ? nil : $0.elements.map(DynamicRule.init)
      }
      apps.append(LinkedApp(packageName: name.value, rules: rules))
    }
    return apps
  }

  /// The first list of dynamic rules for an app. If several statements contain lists for this app,
  /// Android does not guarantee which list it uses.
  func dynamicComponents(of packageName: String) -> Value? {
    statements.lazy.filter { $0.target?.packageName?.value == packageName }
      .compactMap(\.dynamicComponents).first
  }
}

extension Statement {
  /// The value of `dynamic_app_link_components`: the list of dynamic rules.
  var dynamicComponents: Value? {
    guard has(.openLinks) else { return nil }
    return extensions.last { $0.key == AppRelation.openLinks.rawValue }?.value
      .member("dynamic_app_link_components")
  }
}

/// Whether Android discards all rules of this list. Android does so if the list is empty, or if a
/// part of any rule has the wrong type or is empty.
func hasMalformedRules(_ value: Value) -> Bool {
  value.kind != .array || value.elements.isEmpty
    || value.elements.contains { rule in
      rule.kind != .object || rule.members.contains { isMalformed($0) }
    }
}

private func isMalformed(_ member: Member) -> Bool {
  guard let row = dynamicKeys.first(where: { $0.key == member.key }) else { return false }
  return member.value.kind != row.kind || !emptyParts(of: member).isEmpty
    || member.key == "?" && member.value.members.contains { $0.value.kind != .string }
}

/// The keys of a dynamic rule, and the type of each key's value.
let dynamicKeys: [(key: String, kind: Value.Kind, words: String)] = [
  ("/", .string, "a string"), ("?", .object, #"an object, such as {"id": "?*"}"#),
  ("#", .string, "a string"), ("exclude", .boolean, "`true` or `false`, without quotes"),
  ("comments", .string, "a string"),
]

extension StatementList {
  /// Returns the fingerprints that the statements with this relation list for the app, as the file
  /// writes them. Omits fingerprints that no certificate can have. Nil if Android accepts no
  /// statement that gives the app this relation.
  package func fingerprints(of packageName: String, under relation: AppRelation) -> [String]? {
    let targets = statements(about: packageName, relation).compactMap(\.target)
    if targets.isEmpty { return nil }
    return targets.flatMap(\.fingerprints).map(\.value)
      .filter { [nil, .lowerCase, .debugKey].contains(FingerprintFault(of: $0)) }
  }

  /// Returns the range of the first statement that gives this relation to the app and contains one
  /// of these fingerprints.
  package func place(
    of packageName: String, under relation: AppRelation, with fingerprints: [String]
  ) -> Range<Int>? {
    statements(about: packageName, relation).first { statement in
      statement.target?.fingerprints.contains { fingerprints.contains($0.value) } ?? false
    }?.source.range
  }

  private func statements(about packageName: String, _ relation: AppRelation) -> [Statement] {
    statements.filter { statement in
      statement.isWellFormed && statement.target?.kind == .app
        && statement.target?.packageName?.value == packageName
        && statement.has(relation)
    }
  }

  /// The package names of all Android apps in the list.
  package var packages: Set<String> { Set(apps.compactMap { $0.packageName?.value }) }
}
