/// A link that two entries open, each for its own apps.
struct SharedLinks {
  /// The index of the entry that comes first in the file; `second` is the other entry's index.
  let first: Int
  let second: Int
  let example: ExampleURL
}

/// Finds pairs of entries that open the same link.
///
/// Tries one example of each rule on the other entries, so it may miss rules that overlap
/// elsewhere.
///
/// - Parameter reaches: What each rule of each entry decides.
func sharedLinks(of association: Association, _ reaches: [[RuleReach]]) -> [SharedLinks] {
  let entries = association.applinks?.entries ?? []
  guard entries.count > 1, entries.count <= SharedLinksLimits.entries,
    let matcher = try? Matcher(association)
  else { return [] }
  var apps: [Int: Int] = [:]
  for index in matcher.appIdentifiers.indices.reversed() {
    apps[matcher.entryIndex(ofApp: index)] = index
  }
  var found: [[Int]: ExampleURL] = [:]
  var context = MatchContext()
  for (number, (entry, reach)) in zip(entries, reaches).enumerated() where apps[number] != nil {
    for case (let rule, .decides(let example)) in zip(entry.rules, reach) where !rule.isExclusion {
      let url = Array(example.reference.utf8)
      if matcher.prepare(url.span, domain: nil, in: &context) != nil { continue }
      for (other, app) in apps where other != number {
        let pair = [min(number, other), max(number, other)]
        if found[pair] != nil { continue }
        if case .match = matcher.decide(appAt: app, in: &context) { found[pair] = example }
      }
    }
  }
  return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    .map { SharedLinks(first: $0.key[0], second: $0.key[1], example: $0.value) }
}

enum SharedLinksLimits {
  /// The maximum number of entries; larger files are skipped, because every pair is compared.
  static let entries = 200
}
