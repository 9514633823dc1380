/// A link that two entries open, each for its own apps.
struct SharedLinks {
  /// The index of the entry that comes first in the file; `second` is the other entry's index.
  let first: Int
  let second: Int
  let example: ExampleURL
}

/// Finds pairs of entries that open the same link.
///
/// For each rule, only one example link is tried with the other entries. So two rules that open the
/// same link are missed if neither rule opens the example link of the other rule.
///
/// - Parameter reaches: For each entry, which URLs each of its rules decides.
func sharedLinks(of association: Association, _ reaches: [[RuleReach]]) -> [SharedLinks] {
  let entries = association.entries
  guard entries.count > 1, entries.count <= comparedEntries,
    let matcher = try? Matcher(association)
  else { return [] }
  var apps: [Int: Int] = [:]
  for index in matcher.appIdentifiers.indices.reversed() {
    apps[matcher.entryIndex(ofApp: index)] = index
  }
  var found: [[Int]: ExampleURL] = [:]
  for (number, (entry, reach)) in zip(entries, reaches).enumerated() where apps[number] != nil {
    for case (let rule, .decides(let example)) in zip(entry.rules, reach) where !rule.isExclusion {
      let url = Array(example.reference.utf8)
      guard let texts = try? matcher.texts(of: url.span, domain: nil) else { continue }
      for (other, app) in apps where other != number {
        let pair = [min(number, other), max(number, other)]
        if found[pair] != nil { continue }
        if case .match = matcher.decide(texts, appAt: app) { found[pair] = example }
      }
    }
  }
  return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    .map { SharedLinks(first: $0.key[0], second: $0.key[1], example: $0.value) }
}

/// The maximum number of entries to compare. Files with more entries are skipped, because every
/// pair of entries is compared.
private let comparedEntries = 200

/// A URL, without scheme and host, that shows the effect of rules. The URL has the form in which
/// people would write it.
package struct ExampleURL: Sendable, Hashable {
  /// The path, which begins with a slash.
  package var path: String
  /// The query without the `?`; empty if the URL has no query.
  package var query: String
  /// The fragment without the `#`; empty if the URL has no fragment.
  package var fragment: String

  package init(path: String = "/", query: String = "", fragment: String = "") {
    self.path = path
    self.query = query
    self.fragment = fragment
  }

  /// The reference within the domain, such as `/buy?a=1#top`.
  package var reference: String {
    path + (query.isEmpty ? "" : "?" + query) + (fragment.isEmpty ? "" : "#" + fragment)
  }

  /// The number of characters in `reference`.
  var length: Int {
    path.utf8.count + (query.isEmpty ? 0 : 1 + query.utf8.count)
      + (fragment.isEmpty ? 0 : 1 + fragment.utf8.count)
  }

  mutating func set(_ part: URLPart, to text: String) {
    switch part {
    case .path: path = text
    case .query: query = text
    case .fragment: fragment = text
    }
  }
}

/// The parts of a URL that rules test, in the order of exploration.
package enum URLPart: Int, Sendable, CaseIterable {
  case path, query, fragment

  var next: URLPart? { URLPart(rawValue: rawValue + 1) }
}
