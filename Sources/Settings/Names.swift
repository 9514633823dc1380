internal import Bytes
internal import Diagnostics
internal import Posix
internal import Rules

// Parsing of host names, paths and field values.

/// Parses the aliases, each written `from=to`.
func parseAliases(
  _ pairs: [(from: String, to: String)]
) throws(Fault) -> [(from: DomainName, to: String)] {
  var list = AliasList()
  for pair in pairs {
    guard try list.add(pair) else {
      throw Fault(
        .badAlias, "the alias `\(pair.from)` is repeated",
        help: "keep one of the two aliases")
    }
  }
  return try list.checked()
}

/// The aliases: hosts for which the server uses the files of other hosts. Each host can be an alias
/// only once.
struct AliasList {
  private var list: [(from: String, to: String)] = []
  /// The target of each alias, keyed by alias. A dictionary is fast even with 100,000 aliases.
  private var targets: [String: String] = [:]

  /// Adds an alias. Returns false if the host is already an alias.
  mutating func add(_ pair: (from: String, to: String)) throws(Fault) -> Bool {
    let alias = (from: try parseHost(pair.from), to: try parseHost(pair.to))
    if alias.from == alias.to {
      throw Fault(
        .badAlias, "`\(alias.from)` is an alias of itself",
        help: "remove the alias, or write another host"
      )
    }
    list.append(alias)
    return targets.updateValue(alias.to, forKey: alias.from) == nil
  }

  /// Returns all aliases. Throws a fault if the target of an alias is itself an alias.
  func checked() throws(Fault) -> [(from: DomainName, to: String)] {
    for alias in list {
      if let next = targets[alias.to] {
        throw Fault(
          .badAlias, "`\(alias.from)` is an alias of `\(alias.to)`, which is an alias itself",
          help: "write `\(alias.from)=\(next)`")
      }
    }
    return list.map { (from: .host($0.from), to: $0.to) }
  }
}

func parseAliasPair(_ text: String) throws(Fault) -> (from: String, to: String) {
  let parts = text.split(separator: "=", omittingEmptySubsequences: false)
  guard parts.count == 2 else {
    throw Fault(.badAlias, "`\(text)` is not an alias")
  }
  return (withoutSpaces(around: parts[0]), withoutSpaces(around: parts[1]))
}

/// Parses a host name without a port, and returns it in lower case. Accepts underscores, because
/// some real host names contain underscores.
private func parseHost(_ text: String) throws(Fault) -> String {
  guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
    throw Fault(
      .badAlias, "`\(text)` contains non-ASCII characters",
      help: "write the name in its ASCII form, beginning with `xn--`")
  }
  let name = text.lowercased()
  guard isHostName(name) else {
    throw Fault(
      .badAlias, "`\(text)` is not a host name",
      help: "write only the name, such as `example.com`: no scheme, port, path or final dot")
  }
  return name
}

/// Parses host names, and refuses duplicates.
func parseHosts(_ texts: [String]) throws(Fault) -> [String] {
  var list: [String] = []
  var known: Set<String> = []
  for text in texts {
    let host = try mapping(parseHost(text)) { (fault: Fault) in
      Fault(.badHost, fault.message, help: fault.help)
    }
    if known.insert(host).inserted { list.append(host) }
  }
  return list
}

/// Parses host names, with or without `*.` in front, and refuses duplicates.
func parseHostPatterns(_ texts: [String]) throws(Fault) -> [DomainName] {
  var list: [DomainName] = []
  var known: Set<DomainName> = []
  for text in texts {
    let isWildcard = text.hasPrefix("*.")
    for host in try parseHosts([isWildcard ? String(text.dropFirst(2)) : text]) {
      let pattern = isWildcard ? DomainName.wildcard(host) : .host(host)
      if known.insert(pattern).inserted { list.append(pattern) }
    }
  }
  return list
}

func parseNetworks(_ texts: [String]) throws(Fault) -> [Network] {
  var list: [Network] = []
  for text in texts {
    guard let network = Network(text) else {
      throw Fault(.badNetwork, "`\(text)` is neither an IP address nor a network")
    }
    list.append(network)
  }
  return list
}

func parsePath(_ text: String) throws(Fault) -> String {
  guard !text.isEmpty else {
    throw Fault(.badPath, "the path is empty")
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
    throw Fault(.badName, "`\(text)` is not a certificate's name")
  }
  return text
}

/// Parses `apple`, `none`, or the beginning of a URL. The URL must have a scheme and a host, but no
/// user, query or fragment.
func parseURL(_ text: String) throws(Fault) -> String {
  if ["apple", "none"].contains(text) { return text }
  let lower = text.lowercased()
  let bytes = Array(text.utf8)
  guard lower.hasPrefix("https://") || lower.hasPrefix("http://"), bytes.count < 1024,
    bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let parts = try? URLParts(bytes.span),
    parts.host != nil, parts.query == nil, parts.fragment == nil, !text.contains("@")
  else {
    throw Fault(.badURL, "`\(text)` is not the beginning of a URL")
  }
  return text
}

/// Parses CAs, each given as its name or as its directory URL. Refuses duplicates.
func parseAuthorities(_ texts: [String]) throws(Fault) -> [String] {
  var list: [String] = []
  for text in texts where !list.contains(text) {
    let isKnown = IssuanceOptions.known.contains { $0.name == text }
    guard isKnown || text.hasPrefix("https://") && (try? parseURL(text)) != nil else {
      let names = IssuanceOptions.known.map(\.name)
      throw Fault(
        .badAuthority, "`\(text)` is neither a known CA nor the URL of an ACME directory",
        help: nearest(to: text, among: names).map { "did you mean `\($0)`?" })
    }
    list.append(text)
  }
  return list
}

/// Parses challenges, and refuses duplicates.
func parseChallenges(_ texts: [String]) throws(Fault) -> [ChallengeKind] {
  var list: [ChallengeKind] = []
  for text in texts {
    guard let kind = ChallengeKind(rawValue: text) else {
      throw badChoice(text, of: ChallengeKind.allCases.map(\.rawValue))
    }
    if !list.contains(kind) { list.append(kind) }
  }
  guard !list.isEmpty else {
    throw Fault(.badChoice, "the list is empty", help: "write `\(ChallengeKind.http.rawValue)`")
  }
  return list
}

func parseProfile(_ text: String) throws(Fault) -> String {
  guard !text.isEmpty, text.utf8.count <= 64, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
  else {
    throw Fault(
      .badName, "`\(text)` is not the name of a certificate profile",
      help: "write a name from the CA's documentation, or `none`")
  }
  return text
}

/// Parses the value of a header field (field-content in RFC 9110 section 5.5). Accepts only
/// printable ASCII, because a control character could end the field, and every response contains
/// the field.
func parseFieldValue(_ text: String) throws(Fault) -> String {
  let value = withoutSpaces(around: text[...])
  guard !value.isEmpty, value.utf8.count <= 1024,
    value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
  else {
    throw Fault(
      .badFieldValue,
      "the value is empty, too long, or contains characters other than printable ASCII")
  }
  return value
}

private func containsControl(_ text: String) -> Bool {
  text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
}

/// Returns the text without surrounding spaces.
func withoutSpaces(around text: Substring) -> String { String(text.trimmed { $0 == " " }) }
