/// Which hosts an entry of the domains folder, or an alias, stands for.
package enum DomainName: Hashable, Sendable, CustomStringConvertible {
  /// One host, in lower case.
  case host(String)
  /// Every subdomain of this domain, of any depth, and the domain itself.
  case wildcard(String)
  /// Every other host.
  case any

  /// As the user would write it: `example.com`, `*.example.com`, `any other host`.
  package var description: String {
    switch self {
    case .host(let host): host
    case .wildcard(let parent): "*." + parent
    case .any: "any other host"
    }
  }

  /// From the name of an entry without its extension: `example.com`, `_wildcard.example.com`,
  /// `*.example.com` or `_default`; nil when it is none of these.
  package init?(entryName: String) {
    let name = entryName.lowercased()
    if name == "_default" {
      self = .any
      return
    }
    for prefix in ["_wildcard.", "*."] where name.hasPrefix(prefix) {
      let parent = String(name.dropFirst(prefix.count))
      guard isHostName(parent) else { return nil }
      self = .wildcard(parent)
      return
    }
    guard isHostName(name) else { return nil }
    self = .host(name)
  }
}

/// Whether `name` can be a host in the DNS (RFC 1035 2.3.1, RFC 1123 2.1), in lower case. The low
/// line is allowed: it does occur in names of hosts that are really used.
package func isHostName(_ name: String) -> Bool {
  guard !name.isEmpty, name.utf8.count <= 253 else { return false }
  return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    .allSatisfy { label in
      (1...63).contains(label.count)
        && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy { byte in
          (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            || byte == 0x5F
        }
    }
}
