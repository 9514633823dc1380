package import AppSiteAssociation
internal import Bytes
internal import Diagnostics
internal import JSON
internal import Rules

/// Converts the link rules of one app in an association file to a statement list for Android.
package struct AndroidForm {
  private let association: Association
  private let app: String
  private let entry: DetailsEntry

  /// - Parameter app: The app whose rules to convert. May be nil if all apps of the file have the
  ///   same rules.
  package init(_ association: Association, app: String?) throws(PlatformConversionFault) {
    self.association = association
    let entries = association.entries
    let named = AppEntries(entries)
    guard let first = named.entries.first else { throw .noApp }
    if let app {
      guard let found = named[app] else { throw .unknownApp(app) }
      (self.app, entry) = (app, entries[found])
    } else {
      if named.entries.contains(where: { $0 != first }) { throw .severalApps(named.apps) }
      (self.app, entry) = (named.apps[0], entries[first])
    }
    // Refuse an entry without rules, because Apple does not document which links such an entry
    // matches.
    if entry.rules.isEmpty { throw .noRules(self.app) }
  }

  /// Returns the statement list for an Android app. `fingerprints` are the SHA-256 digests of the
  /// certificates that sign this app.
  package func convert(
    package: String, fingerprints: [String]
  ) throws(PlatformConversionFault) -> PlatformConversion {
    var components: [JSONTree] = []
    var losses: [ConversionLoss] = []
    for rule in entry.rules {
      let converted = RuleForAndroid(rule, association)
      components += converted.components
      losses += converted.losses
      guard components.count <= PlatformConversion.rules else { throw .tooManyRules(app) }
    }
    // Without dynamic rules, the statement would let every link open the app. So write one rule
    // that excludes every link.
    if components.isEmpty { components = [["/": "*", "exclude": true]] }
    var relations = [AppRelation.openLinks]
    if association.apps(of: "webcredentials").contains(app) {
      relations.append(.shareCredentials)
    }
    let statement: JSONTree = [
      "relation": relations.map(\.rawValue).json,
      "target": [
        "namespace": StatementTarget.Kind.app.rawValue.json, "package_name": package.json,
        "sha256_cert_fingerprints": fingerprints.json,
      ],
      "relation_extensions": [
        AppRelation.openLinks.rawValue: ["dynamic_app_link_components": .array(components)]
      ],
    ]
    return PlatformConversion(tree: [statement], losses: losses)
  }
}

/// Converts one of Apple's rules to one or several dynamic rules that match the same links.
private struct RuleForAndroid {
  private typealias Item = (name: String, pattern: String)

  private(set) var components: [JSONTree] = []
  private(set) var losses: [ConversionLoss] = []
  private let rule: Rule
  private let patterns: AndroidPatterns

  init(_ rule: Rule, _ association: Association) {
    self.rule = rule
    patterns = AndroidPatterns(
      variables: association.variables, isPercentEncoded: rule.isPercentEncoded)
    let fields = rule.effective
    guard let path = take(fields.path.map { patterns.path($0.value) } ?? .everything),
      let items = queries(fields.query),
      let fragment = take(fields.fragment.map { patterns.text($0.value) } ?? .everything)
    else { return }
    guard path.count * items.count * fragment.count <= PatternSyntax.alternatives else {
      lose("the rule's variables expand to more than \(PatternSyntax.alternatives) rules")
      return
    }
    for path in path {
      for items in items {
        for fragment in fragment {
          components.append(component(path?.text, items, fragment?.text))
        }
      }
    }
    report(path.compactMap(\.self), fragment.compactMap(\.self))
  }

  private mutating func lose(_ message: String, isLeftOut: Bool = true) {
    losses.append(ConversionLoss(range: rule.source.range, message: message, isLeftOut: isLeftOut))
  }

  /// Returns the patterns of one part of a rule, such as the path. Nil in place of a pattern means
  /// that the part may have any value. Returns nil if no rule can be written for Android.
  private mutating func take(_ part: PartConversion) -> [[AndroidPattern.Token]?]? {
    switch part {
    case .everything: return [nil]
    case .patterns(let patterns): return patterns
    case .nothing: return nil
    case .impossible(let reason):
      lose(reason)
      return nil
    }
  }

  /// Returns alternative lists of query items, one list for each combination of the variables'
  /// values. A query must contain all items of at least one list.
  private mutating func queries(_ query: QueryCondition?) -> [[Item]]? {
    switch query {
    case nil: return [[]]
    case .whole(let pattern):
      if !pattern.value.isEmpty, pattern.value.allSatisfy({ $0 == "*" }) { return [[]] }
      lose("Android compares individual query items, not the whole query")
      return nil
    case .items(let conditions, _):
      var result: [[Item]] = [[]]
      for condition in conditions {
        guard let values = take(patterns.text(condition.pattern.value)) else { return nil }
        if values.contains(where: { $0 == nil }) { continue }
        guard let name = take(patterns.name(condition.name.value))?.first??.text else {
          return nil
        }
        let texts = values.compactMap { $0 }
        if texts.contains(where: { $0.contains(.character(";")) }) {
          lose("Android may split a query at `;`")
          return nil
        }
        reportStars(in: texts)
        guard result.count * texts.count <= PatternSyntax.alternatives else {
          lose("the rule's variables expand to more than \(PatternSyntax.alternatives) rules")
          return nil
        }
        result = result.flatMap { start in texts.map { start + [(name, $0.text)] } }
      }
      return result
    }
  }

  private func component(_ path: String?, _ items: [Item], _ fragment: String?) -> JSONTree {
    let comment = rule.source.member("comment").flatMap { $0.string == nil ? nil : JSONTree($0) }
    return [
      "/": path?.json ?? (items.isEmpty && fragment == nil ? "*" : nil),
      "?": items.isEmpty ? nil : JSONTree(items.map { ($0.name, $0.pattern.json) }),
      "#": fragment?.json, "exclude": rule.isExclusion ? true : nil, "comments": comment,
    ]
  }

  /// Reports where the converted rule for Android has a different meaning than Apple's rule.
  private mutating func report(
    _ paths: [[AndroidPattern.Token]], _ fragments: [[AndroidPattern.Token]]
  ) {
    reportStars(in: paths)
    reportStars(in: fragments)
    if paths.contains(where: \.mayEndInSlash) {
      lose(
        "a `?` at the end of a path matches a slash on Android; Apple's systems ignore that slash",
        isLeftOut: false)
    }
    if !rule.isCaseSensitive, rule.effective.hasLetters {
      lose("Android is always case-sensitive", isLeftOut: false)
    }
  }

  private mutating func reportStars(in patterns: [[AndroidPattern.Token]]) {
    guard let pattern = patterns.first(where: { !$0.hasSameStars }) else { return }
    let example = pattern.textOfDifference.map { ", so `\(pattern.text)` does not match `\($0)`" }
    lose(
      "on Android `*` matches only up to the first occurrence of the character that follows "
        + "`*`\(example ?? "")",
      isLeftOut: false)
  }
}

extension RuleFields {
  /// Whether a pattern contains letters or variables. Only for such patterns, case sensitivity
  /// matters.
  fileprivate var hasLetters: Bool {
    patterns.map(\.pattern.value).contains {
      $0.lowercased() != $0.uppercased() || $0.contains("$(")
    }
  }
}
