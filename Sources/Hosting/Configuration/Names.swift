internal import AppSiteAssociation
internal import Posix

// Hosts, names, paths and field values.

/// `from=to` for each alias.
func parseAliases(_ pairs: [(from: String, to: String)]) throws(Fault) -> [Alias] {
  var list: [Alias] = []
  list.reserveCapacity(pairs.count)
  // Looked up, for there may be a hundred thousand of them.
  var targets: [String: String] = [:]
  targets.reserveCapacity(pairs.count)
  for pair in pairs {
    let alias = try parseAlias(pair)
    guard targets.updateValue(alias.to, forKey: alias.from) == nil else {
      throw Fault(
        .badAlias, "`\(alias.from)` is an alias twice", help: "keep one of the two")
    }
    list.append(alias)
  }
  try refuseChains(list, targets)
  return list
}

func parseAlias(_ pair: (from: String, to: String)) throws(Fault) -> Alias {
  let alias = Alias(from: try parseHost(pair.from), to: try parseHost(pair.to))
  if alias.from == alias.to {
    throw Fault(
      .badAlias, "`\(alias.from)` is an alias of itself", help: "remove it, or name another host")
  }
  return alias
}

/// No alias leads through another one.
func refuseChains(_ list: [Alias], _ targets: [String: String]) throws(Fault) {
  for alias in list {
    if let next = targets[alias.to] {
      throw Fault(
        .badAlias, "`\(alias.from)` is an alias of `\(alias.to)`, which is an alias itself",
        help: "write `\(alias.from)=\(next)`")
    }
  }
}

func parseAliasPair(_ text: String) throws(Fault) -> (from: String, to: String) {
  let parts = text.split(separator: "=", omittingEmptySubsequences: false)
  guard parts.count == 2 else {
    throw Fault(
      .badAlias, "`\(text)` is not an alias", help: "write `www.example.com=example.com`")
  }
  return (trimmed(parts[0]), trimmed(parts[1]))
}

/// A host name in lower case, without a port. Underscores occur in real names, so they pass.
private func parseHost(_ text: String) throws(Fault) -> String {
  guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
    throw Fault(
      .badAlias, "`\(text)` contains characters beyond ASCII",
      help: "write the name as it is on the wire, beginning with `xn--`")
  }
  let hyphen = UInt8(ascii: "-")
  let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  let isName = labels.allSatisfy { label in
    (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { byte in
        let lower = byte | 0x20
        return (0x61...0x7A).contains(lower) || (0x30...0x39).contains(byte) || byte == hyphen
          || byte == UInt8(ascii: "_")
      }
  }
  guard isName, text.utf8.count <= 253 else {
    throw Fault(
      .badAlias, "`\(text)` is not a host name",
      help: "write only the name, such as `example.com`: no scheme, port, path or final dot")
  }
  return text.lowercased()
}

/// Names of hosts, each once.
func parseHosts(_ texts: [String]) throws(Fault) -> [String] {
  var list: [String] = []
  var known: Set<String> = []
  for text in texts {
    do throws(Fault) {
      let host = try parseHost(text)
      if known.insert(host).inserted { list.append(host) }
    } catch {
      throw Fault(.badHost, error.message, help: error.help)
    }
  }
  return list
}

/// Names of hosts, or such names after `*.`, each once.
func parseHostPatterns(_ texts: [String]) throws(Fault) -> [String] {
  var list: [String] = []
  var known: Set<String> = []
  for text in texts {
    let isWildcard = text.hasPrefix("*.")
    let host = try parseHosts([isWildcard ? String(text.dropFirst(2)) : text])
    list += host.map { isWildcard ? "*." + $0 : $0 }.filter { known.insert($0).inserted }
  }
  return list
}

/// Networks, as they were written.
func parseNetworks(_ texts: [String]) throws(Fault) -> [String] {
  for text in texts where Network(text) == nil {
    throw Fault(
      .badNetwork, "`\(text)` is neither an address nor a network",
      help: "write for example `10.0.0.0/8`, `2001:db8::/32` or `192.0.2.1`")
  }
  return texts
}

func parsePath(_ text: String) throws(Fault) -> String {
  guard !text.isEmpty else {
    throw Fault(.badPath, "the path is empty", help: "write a path; `.` is the current folder")
  }
  guard !containsControl(text), text.utf8.count < 4096 else {
    throw Fault(
      .badPath, "the path contains a control character or is too long",
      help: "write at most 4095 bytes without control characters")
  }
  return text
}

func parseCertificateName(_ text: String) throws(Fault) -> String {
  guard !text.isEmpty, text.utf8.count <= 255, !text.contains("/"), !containsControl(text) else {
    throw Fault(
      .badName, "`\(text)` is not a certificate's name",
      help: "write the name of a file or folder without its path and ending, or a host name")
  }
  return text
}

/// `apple`, `none`, or the beginning of URLs: with a scheme and a host, without user, query and fragment.
func parseURL(_ text: String) throws(Fault) -> String {
  if ["apple", "none"].contains(text) { return text }
  let lower = text.lowercased()
  let bytes = Array(text.utf8)
  guard lower.hasPrefix("https://") || lower.hasPrefix("http://"), bytes.count < 1024,
    bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let parts = try? URLParts(bytes.span),
    parts.host != nil, parts.query == nil, parts.fragment == nil, !text.contains("@")
  else {
    throw Fault(
      .badURL, "`\(text)` is not the beginning of a URL",
      help: "write for example `https://cdn.example.com/a/v1`, `apple` or `none`")
  }
  return text
}

/// field-content (RFC 9110 section 5.5), ASCII only: what a later writer of the configuration puts
/// here goes into every response, so no control character may end the field.
func parseFieldValue(_ text: String) throws(Fault) -> String {
  let value = trimmed(text[...])
  guard !value.isEmpty, value.utf8.count <= 1024,
    value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
  else {
    throw Fault(
      .badFieldValue, "the value is empty, too long, or contains more than printable ASCII",
      help: "write for example `public, max-age=3600`")
  }
  return value
}

private func containsControl(_ text: String) -> Bool {
  text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
}

/// Without the spaces around it.
func trimmed(_ text: Substring) -> String {
  var rest = text
  while rest.first == " " { rest.removeFirst() }
  while rest.last == " " { rest.removeLast() }
  return String(rest)
}
