/// The hosts that an entry of the domains folder, or an alias, stands for.
package enum DomainName: Hashable, Sendable, CustomStringConvertible {
  /// One host, in lower case.
  case host(String)
  /// Every subdomain of this domain, at any depth, and the domain itself.
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

  /// As in the name of an entry: `example.com`, `*.example.com`, `_default`.
  package var entryName: String {
    if case .any = self { return "_default" }
    return description
  }

  /// Parses the name of an entry without its extension: `example.com`, `_wildcard.example.com`,
  /// `*.example.com` or `_default`. Nil if it has another form.
  package init?(entryName: String) {
    // Nearly all names are plain hosts in lower case, which need no conversion.
    if entryName.utf8.first != UInt8(ascii: "_") && isHostName(entryName) {
      self = .host(entryName)
      return
    }
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

/// Whether `name` can be a host in the DNS (RFC 1035 2.3.1, RFC 1123 2.1), in lower case.
/// Underscores are allowed because real host names have them.
package func isHostName(_ name: String) -> Bool {
  // The number of bytes since the last dot, and the byte before.
  var label = 0
  var last = UInt8(ascii: ".")
  var count = 0
  for byte in name.utf8 {
    count += 1
    if byte == UInt8(ascii: ".") {
      if label == 0 || label > 63 || last == UInt8(ascii: "-") { return false }
      label = 0
    } else {
      let isLetterOrDigit = byte &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
      if !isLetterOrDigit && (byte != UInt8(ascii: "-") || label == 0) { return false }
      label += 1
    }
    last = byte
  }
  return (1...63).contains(label) && last != UInt8(ascii: "-") && count <= 253
}
