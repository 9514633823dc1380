internal import Diagnostics
internal import JSON
internal import Rules

/// The levels of a file at which keys have a meaning.
enum KeyLevel: Sendable, CaseIterable {
  case top, applinks, entry, component, defaults, service

  /// The keys that Apple defines at this level.
  var known: [String] {
    switch self {
    case .top: Association.serviceNames
    case .applinks: Self.keysOfAppLinks
    case .entry: Self.keysOfEntry
    case .component: Self.keysOfComponent
    case .defaults: Self.keysOfDefaults
    case .service: Self.keysOfService
    }
  }

  private static let keysOfAppLinks = ["apps", "details", "defaults", "substitutionVariables"]
  private static let keysOfEntry = ["appIDs", "appID", "components", "paths", "defaults"]
  private static let keysOfComponent = [
    "/", "?", "#", "exclude", "comment", "caseSensitive", "percentEncoded",
  ]
  private static let keysOfDefaults = ["caseSensitive", "percentEncoded", "exclude", "/", "?", "#"]
  private static let keysOfService = ["apps"]

  /// For words that people write instead of a key, the key that they mean.
  fileprivate var aliases: [String: String] {
    switch self {
    case .entry: ["apps": "appIDs", "bundleid": "appIDs", "bundleids": "appIDs", "path": "paths"]
    case .component, .defaults:
      [
        "path": "/", "paths": "/", "query": "?", "fragment": "#", "not": "exclude",
        "negate": "exclude", "block": "exclude",
      ]
    default: [:]
    }
  }

  var words: String {
    switch self {
    case .top: "at the top of the file"
    case .applinks: "in applinks"
    case .entry: "in an entry of details"
    case .component: "in a component"
    case .defaults: "in defaults"
    case .service: "in a service that lists apps"
    }
  }
}

/// An object whose keys have a meaning, with its unknown keys.
struct KeyedObject: Sendable {
  enum Fault: Sendable, Equatable {
    /// The key resembles this key, which has a meaning here.
    case misspelt(String)
    /// The key has a meaning at another level.
    case misplaced(KeyLevel)
    case unknown
  }

  struct StrangeKey: Sendable {
    let key: String
    let range: Range<Int>
    let fault: Fault
  }

  let level: KeyLevel
  let source: Value
  let strangeKeys: [StrangeKey]

  var hasMisspeltKeys: Bool {
    strangeKeys.contains { if case .misspelt = $0.fault { true } else { false } }
  }

  private init(_ level: KeyLevel, _ source: Value) {
    self.level = level
    self.source = source
    let known = level.known
    var strange: [StrangeKey] = []
    // Computed only once, and only for objects with unknown keys: there may be thousands of
    // objects.
    var present: [String]?
    for member in source.members where !known.contains(where: { member.keyEquals($0) }) {
      let key = member.key
      if isRemark(key) { continue }
      let presentKeys = present ?? known.filter { source.member($0) != nil }
      present = presentKeys
      let fault = Self.fault(of: key, level, presentKeys)
      strange.append(StrangeKey(key: key, range: member.keyRange, fault: fault))
    }
    strangeKeys = strange
  }

  private static func fault(of key: String, _ level: KeyLevel, _ present: [String]) -> Fault {
    // No typo changes fifty letters, and comparing long keys is slow.
    if key.utf8.count > 64 { return .unknown }
    let lower = key.lowercased()
    if let key = level.aliases[lower] { return .misspelt(key) }
    let absent = level.known.filter { !present.contains($0) && $0.utf8.count > 1 }
    if let exact = absent.first(where: { $0.lowercased() == lower }) { return .misspelt(exact) }
    if let home = KeyLevel.allCases.first(where: { $0.known.contains(key) }) {
      return .misplaced(home)
    }
    return nearest(to: key, among: absent).map { .misspelt($0) } ?? .unknown
  }

  static func all(in association: Association) -> [KeyedObject] {
    var objects = [KeyedObject(.top, association.source)]
    if let applinks = association.applinks {
      objects.append(KeyedObject(.applinks, applinks.source))
      if let defaults = applinks.defaults {
        objects.append(KeyedObject(.defaults, defaults.source))
      }
      for entry in applinks.entries {
        objects.append(KeyedObject(.entry, entry.source))
        if let defaults = entry.defaults { objects.append(KeyedObject(.defaults, defaults.source)) }
        for rule in entry.rules where rule.source.kind == .object {
          objects.append(KeyedObject(.component, rule.source))
        }
      }
    }
    for (_, list) in association.appLists { objects.append(KeyedObject(.service, list.source)) }
    return objects.filter { !$0.strangeKeys.isEmpty }
  }
}
