internal import Bytes
internal import JSON
internal import Posix

// Forms for values that are lists.

extension Form {
  /// A list of texts. Each text is parsed separately. In server.json, a list with one element may
  /// be written as a string.
  private static func list<Element: Sendable>(
    example: String, text: @escaping @Sendable (Element) -> String,
    parse: @escaping @Sendable ([String]) throws(Fault) -> [Element]
  ) -> Form where Content == [Element] {
    Form(
      parse: { (texts) throws(Fault) in
        try parse(entries(texts).filter { !$0.isEmpty })
      },
      read: { (value, member) throws(LocatedFault) in
        let texts = try texts(value, member, "a string or an array of strings") {
          (text) throws(Fault) in _ = try parse([text])
        }
        return try located(value, parse(texts))
      },
      text: { $0.map(text).joined(separator: ", ") }, isList: true, example: example)
  }

  /// Calls `take` with each member of an object. If `take` throws a fault, adds the position of
  /// this member in server.json to the fault.
  ///
  /// - Parameter what: The type that each value must have, in words for messages.
  private static func readPairs(
    _ value: Value, _ member: Member, _ what: String,
    _ take: (_ key: String, _ text: String) throws(Fault) -> Void
  ) throws(LocatedFault) {
    for pair in value.members {
      guard let text = pair.value.string else { throw member.wrongType(pair.value, what) }
      try mapping(take(pair.key, text)) { (fault: Fault) in
        LocatedFault(fault, pair.keyRange.lowerBound..<pair.value.range.upperBound)
      }
    }
  }
}

extension Form<[String]> {
  /// Host names without ports.
  static let hosts = list(example: "[\"aasa.internal\"]", text: { $0 }, parse: parseHosts)
  /// CAs, each as its name or as its directory URL.
  static let authorities = list(
    example: "[\"letsencrypt\"]", text: { $0 }, parse: parseAuthorities)
}

extension Form<[ChallengeKind]> {
  static let challenges = list(
    example: "[\"\(ChallengeKind.tls.rawValue)\"]", text: \.rawValue, parse: parseChallenges)
}

extension Form<[DomainName]> {
  /// Host names, each with or without `*.` in front.
  static let hostPatterns = list(
    example: "[\"*.example.com\"]", text: \.entryName, parse: parseHostPatterns)
}

extension Form<[Network]> {
  static let networks = list(
    example: "[\"10.0.0.0/8\"]", text: \.description, parse: parseNetworks)
}

extension Form<[ListenAddress]> {
  /// Addresses to listen on, or `none`.
  static let addresses = Form(
    parse: { (texts) throws(Fault) in try parseAddresses(entries(texts)) },
    read: { (value, member) throws(LocatedFault) in
      let single = Shape.numberOrString("a string or an array of strings")
      guard value.kind == .array else {
        let text = try single.text(of: value, member)
        return try located(value, parseAddresses([text]))
      }
      var texts: [String] = []
      for element in value.elements {
        texts.append(
          try Shape.numberOrString("an array of strings").text(of: element, member))
        // Parse each element together with the elements before it, so that a repeated element is
        // reported at its second occurrence.
        _ = try located(element, parseAddresses(texts))
      }
      if texts.isEmpty {
        throw LocatedFault(
          Fault(
            .badAddress, "the list is empty",
            help: "write `\"none\"` to turn the listener off"),
          value.range)
      }
      return try located(value, parseAddresses(texts))
    },
    text: { $0.isEmpty ? "none" : $0.map(\.description).joined(separator: ", ") }, isList: true)
}

extension Form<[(from: DomainName, to: String)]> {
  static let aliases = Form(
    parse: { (texts) throws(Fault) in try parseAliasTexts(entries(texts)) },
    read: { (value, member) throws(LocatedFault) in
      guard value.kind == .object else {
        let texts = try texts(value, member, "an object such as `\(member.example)`") {
          (text) throws(Fault) in _ = try parseAliasTexts([text])
        }
        return try located(value, parseAliasTexts(texts))
      }
      var aliases = AliasList()
      try readPairs(value, member, "a host name") { (from, to) throws(Fault) in
        guard try aliases.add((from: from, to: to)) else {
          throw Fault(.duplicateKey, "the alias `\(from)` is repeated")
        }
      }
      return try located(value, aliases.checked())
    },
    text: { list in list.map { "\($0.from.entryName)=\($0.to)" }.joined(separator: ", ") },
    isList: true, example: "{\"www.example.com\": \"example.com\"}")
}

extension Form<[WellKnownFile]> {
  static let wellKnown = Form(
    parse: { (texts) throws(Fault) in try parseWellKnownTexts(entries(texts)) },
    read: { (value, member) throws(LocatedFault) in
      guard value.kind == .object else {
        let texts = try texts(value, member, "an object such as `\(member.example)`") {
          (text) throws(Fault) in _ = try parseWellKnownTexts([text])
        }
        return try located(value, parseWellKnownTexts(texts))
      }
      var pairs: [(name: String, type: String)] = []
      try readPairs(value, member, "a media type") { (name, type) throws(Fault) in
        pairs.append((name, type))
        // Parse each member together with the members before it, so that a repeated member is
        // reported at its second occurrence.
        _ = try parseWellKnown(pairs)
      }
      return try located(value, parseWellKnown(pairs))
    },
    text: { list in list.map { "\($0.name)=\($0.mediaType)" }.joined(separator: ", ") },
    isList: true, example: "{\"gpc.json\": \"application/json\"}")
}

/// Reads a string, or an array of strings.
///
/// - Parameters:
///   - expected: The types that the value may have, in words for messages.
///   - check: Parses a single text. This function is called for each text separately, so that a
///     fault is reported at the text that caused the fault.
private func texts<Content>(
  _ value: Value, _ member: Form<Content>.Member, _ expected: String,
  _ check: (_ text: String) throws(Fault) -> Void
) throws(LocatedFault) -> [String] {
  let elements = value.kind == .array ? Array(value.elements) : [value]
  var texts: [String] = []
  for element in elements {
    guard let text = element.string else {
      throw member.wrongType(element, value.kind == .array ? "a string" : expected)
    }
    try located(element, check(text))
    texts.append(text)
  }
  return texts
}

private func parseAliasTexts(
  _ texts: [String]
) throws(Fault) -> [(from: DomainName, to: String)] {
  var pairs: [(from: String, to: String)] = []
  for text in texts where !text.isEmpty { pairs.append(try parseAliasPair(text)) }
  return try parseAliases(pairs)
}

private func parseWellKnownTexts(_ texts: [String]) throws(Fault) -> [WellKnownFile] {
  var pairs: [(name: String, type: String)] = []
  for text in texts where !text.isEmpty { pairs.append(try parseWellKnownPair(text)) }
  return try parseWellKnown(pairs)
}

private func entries(_ texts: [String]) -> [String] {
  texts.flatMap {
    $0.split(separator: ",", omittingEmptySubsequences: false).map { withoutSpaces(around: $0) }
  }
}
