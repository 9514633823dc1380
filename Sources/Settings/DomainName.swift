internal import Bytes

/// The hosts to which an alias or an entry of the domains folder applies.
package enum DomainName: Hashable, Sendable, CustomStringConvertible {
  /// One host, in lower case.
  case host(String)
  /// Every subdomain of this domain, at any depth, and the domain itself.
  case wildcard(String)
  /// Every host to which no other entry or alias applies.
  case any

  /// The name as a user would write it: `example.com`, `*.example.com`, `any other host`.
  package var description: String {
    switch self {
    case .host(let host): host
    case .wildcard(let parent): "*." + parent
    case .any: "any other host"
    }
  }

  /// The name of the entry in the domains folder: `example.com`, `*.example.com`, `_default`.
  package var entryName: String {
    if case .any = self { return "_default" }
    return description
  }

  /// The file name of the entry: `example.com`, `_wildcard.example.com`, `_default`. A file name
  /// contains no `*`, because some file systems do not allow this character.
  package var fileName: String {
    if case .wildcard(let parent) = self { return Self.wildcardPrefix + parent }
    return entryName
  }

  private static let wildcardPrefix = "_wildcard."

  /// Parses the name of an entry without its extension: `example.com`, `_wildcard.example.com`,
  /// `*.example.com` or `_default`. Nil if the text has none of these forms.
  package init?(entryName: String) {
    // Handle plain hosts in lower case first: nearly all names are such hosts and need no
    // conversion.
    if entryName.utf8.first != UInt8(ascii: "_") && isHostName(entryName) {
      self = .host(entryName)
      return
    }
    let name = entryName.lowercased()
    if name == "_default" {
      self = .any
      return
    }
    for prefix in [Self.wildcardPrefix, "*."] where name.hasPrefix(prefix) {
      let parent = String(name.dropFirst(prefix.count))
      guard isHostName(parent) else { return nil }
      self = .wildcard(parent)
      return
    }
    guard isHostName(name) else { return nil }
    self = .host(name)
  }
}
