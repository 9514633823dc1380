internal import AppSiteAssociation
internal import Client
internal import Diagnostics

/// A path pattern from the command line. The user may also give a copied link with a host, a query
/// and a fragment.
package struct PathArgument: Equatable {
  /// The host, if the argument is a whole URL. The association file does not contain the host.
  private(set) var host: String?
  private(set) var path: String
  /// The query items. Each has a name and a pattern for its value.
  private(set) var query: [(name: String, pattern: String)] = []
  private(set) var fragment: String?

  init(_ text: String) {
    var rest = text[...]
    if FetchRequest.Scheme(takenFrom: &rest) != nil {
      let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      self.host = host.lowercased()
      rest = rest.dropFirst(host.count)
    }
    if let sign = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: sign)...])
      rest = rest[..<sign]
    }
    if let sign = Self.queryStart(in: rest) {
      for item in rest[rest.index(after: sign)...].split(separator: "&") {
        let parts = item.split(separator: "=", maxSplits: 1)
        let value = parts.count > 1 ? String(parts[1]) : ""
        // Require the query item even if the user gave no value or `*`. The pattern `?*` matches
        // any value, but not a missing item.
        query.append((String(parts[0]), value.allSatisfy { $0 == "*" } ? "?*" : value))
      }
      rest = rest[..<sign]
    }
    path = rest.isEmpty ? "/" : String(rest)
  }

  /// Returns the index of the question mark that begins a query. After such a question mark, there
  /// is a name of letters, digits, `_` and `-`. After the name, there is `=` or the end of the
  /// text. Any other question mark is a wildcard for one character.
  private static func queryStart(in text: Substring) -> Substring.Index? {
    for index in text.indices where text[index] == "?" {
      let rest = text[text.index(after: index)...]
      let name = rest.prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "-"
      }
      let next = rest.dropFirst(name.count).first
      if next == "=" && !name.isEmpty || next == nil && name.count > 1 { return index }
    }
    return nil
  }

  /// Returns the component for this pattern in the association file, as JSON on one line.
  func component(isExclusion: Bool) -> String {
    var members = [AppleKey.path.member(path.json)]
    if !query.isEmpty {
      let items = query.map { "\($0.name.json): \($0.pattern.json)" }
      members.append(AppleKey.query.member("{ \(items.joined(separator: ", ")) }"))
    }
    if let fragment { members.append(AppleKey.fragment.member(fragment.json)) }
    if isExclusion { members.append(AppleKey.exclude.member("true")) }
    return "{ \(members.joined(separator: ", ")) }"
  }

  package static func == (left: PathArgument, right: PathArgument) -> Bool {
    left.host == right.host
      && left.component(isExclusion: false) == right.component(isExclusion: false)
  }
}
