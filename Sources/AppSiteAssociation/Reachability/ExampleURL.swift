/// A URL that shows what rules do, as people would write it, without scheme and host.
package struct ExampleURL: Sendable, Hashable {
  /// The path, which begins with a slash.
  package var path: String
  /// The query without the `?`; empty if there is none.
  package var query: String
  /// The fragment without the `#`; empty if there is none.
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

  /// Returns the URL on a host.
  package func url(host: String) -> String { "https://" + host + reference }

  subscript(part: URLPart) -> String {
    get {
      switch part {
      case .path: path
      case .query: query
      case .fragment: fragment
      }
    }
    set {
      switch part {
      case .path: path = newValue
      case .query: query = newValue
      case .fragment: fragment = newValue
      }
    }
  }
}

/// The parts of a URL that rules test, in the order of exploration.
enum URLPart: Int, Sendable, CaseIterable {
  case path, query, fragment

  var next: URLPart? { URLPart(rawValue: rawValue + 1) }
}
