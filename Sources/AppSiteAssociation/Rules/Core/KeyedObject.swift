internal import Diagnostics
internal import JSON
internal import Rules

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

  /// Nil if every key is known.
  init?(_ level: KeyLevel, _ source: Value) {
    self.level = level
    self.source = source
    let keys = level.keys
    var strange: [StrangeKey] = []
    // Few of the objects, of which there may be thousands, have unknown keys.
    lazy var present = level.known.filter { source.member($0) != nil }
    for member in source.members where !keys.contains(where: { member.keyEquals($0.name) }) {
      let key = member.key
      if isRemark(key) { continue }
      let fault = Self.fault(of: key, level, present)
      strange.append(StrangeKey(key: key, range: member.keyRange, fault: fault))
    }
    if strange.isEmpty { return nil }
    strangeKeys = strange
  }

  private static func fault(of key: String, _ level: KeyLevel, _ present: [String]) -> Fault {
    // No typo changes fifty letters, and comparing long keys is slow.
    if key.utf8.count > 64 { return .unknown }
    let lower = key.lowercased()
    if let key = level.keys.first(where: { $0.instead.contains(lower) }) {
      return .misspelt(key.name)
    }
    let absent = level.known.filter { !present.contains($0) && $0.utf8.count > 1 }
    if let exact = absent.first(where: { $0.lowercased() == lower }) { return .misspelt(exact) }
    if let home = KeyLevel.allCases.first(where: { $0.known.contains(key) }) {
      return .misplaced(home)
    }
    return nearest(to: key, among: absent).map { .misspelt($0) } ?? .unknown
  }
}

extension Association {
  /// Every object whose keys Apple defines.
  var objects: [(level: KeyLevel, source: Value)] {
    var objects = [(KeyLevel.top, source)]
    if let applinks {
      objects.append((.applinks, applinks.source))
      if let defaults = applinks.defaults { objects.append((.defaults, defaults.source)) }
      for entry in applinks.entries {
        objects.append((.entry, entry.source))
        if let defaults = entry.defaults { objects.append((.defaults, defaults.source)) }
        for rule in entry.rules where rule.source.kind == .object {
          objects.append((.component, rule.source))
        }
      }
    }
    return objects + appLists.map { (.service, $0.list.source) }
  }
}
