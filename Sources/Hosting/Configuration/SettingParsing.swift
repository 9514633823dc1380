internal import Diagnostics
internal import JSON

extension Setting {
  /// The value of `texts`, as flags and variables have it: one text, or entries of a list, each of
  /// which may hold several with commas between.
  func parse(_ texts: [String]) throws(Fault) -> SettingValue {
    let last = texts.last ?? ""
    switch definition.form {
    case .file, .folder, .log: return .text(try parsePath(last))
    case .url: return .text(try parseURL(last))
    case .certificateName: return .text(try parseCertificateName(last))
    case .fieldValue: return .text(try parseFieldValue(last))
    case .choice(let words): return .text(try parseChoice(last, of: words))
    case .duration(let range):
      return .duration(try parseDuration(last, in: range, wholeSeconds: false))
    case .wholeSeconds(let range):
      return .duration(try parseDuration(last, in: range, wholeSeconds: true))
    case .size(let range): return .size(try parseSize(last, in: range))
    case .count(let range): return .count(try parseCount(last, in: range))
    case .addresses: return .addresses(try parseAddresses(Self.entries(texts)))
    case .localAddress: return .addresses(try parseLocalAddress(last))
    case .hosts: return .hosts(try parseHosts(Self.entries(texts).filter { !$0.isEmpty }))
    case .hostPatterns:
      return .hosts(try parseHostPatterns(Self.entries(texts).filter { !$0.isEmpty }))
    case .networks: return .hosts(try parseNetworks(Self.entries(texts).filter { !$0.isEmpty }))
    case .aliases:
      var pairs: [(from: String, to: String)] = []
      for entry in Self.entries(texts) where !entry.isEmpty {
        pairs.append(try parseAliasPair(entry))
      }
      return .aliases(try parseAliases(pairs))
    }
  }

  private static func entries(_ texts: [String]) -> [String] {
    texts.flatMap {
      $0.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
    }
  }

  /// The value of a member of server.json. Throws where in the file it is wrong.
  func parse(_ value: Value) throws(LocatedFault) -> SettingValue {
    switch definition.form {
    case .addresses: return .addresses(try parseAddressList(value))
    case .aliases: return .aliases(try parseAliasObject(value))
    case .hosts, .hostPatterns, .networks: return .hosts(try parseTextList(value))
    case .localAddress:
      return try located(value) { () throws(Fault) in
        try parse([try numberOrText(value, "a string")])
      }
    case .file, .folder, .log, .url, .certificateName, .fieldValue, .choice:
      guard let text = value.string else { throw wrongType(value, "a string") }
      return try located(value) { () throws(Fault) in try parse([text]) }
    case .duration, .wholeSeconds, .size:
      return try located(value) { () throws(Fault) in
        try parse([try numberOrText(value, "a number or a string with a unit")])
      }
    case .count:
      guard let number = value.integer, number >= 0 else {
        throw wrongType(value, "a whole number")
      }
      return try located(value) { () throws(Fault) in try parse([String(number)]) }
    }
  }

  private func numberOrText(_ value: Value, _ expected: String) throws(Fault) -> String {
    if let text = value.string { return text }
    if let number = value.integer, number >= 0 { return String(number) }
    throw wrongType(value, expected).fault
  }

  private func parseAddressList(_ value: Value) throws(LocatedFault) -> [ListenAddress] {
    guard value.kind == .array else {
      return try located(value) { () throws(Fault) in
        try parseAddresses([try numberOrText(value, "a string or an array of strings")])
      }
    }
    var texts: [String] = []
    for element in value.elements {
      // With all before it, so that a repetition is told at the second place.
      texts.append(
        try located(element) { () throws(Fault) in
          let text = try numberOrText(element, "an array of strings")
          _ = try parseAddresses(texts + [text])
          return text
        })
    }
    if texts.isEmpty {
      throw LocatedFault(
        Fault(.badAddress, "the list is empty", help: "write `\"none\"` to turn it off"),
        value.range)
    }
    return try located(value) { () throws(Fault) in try parseAddresses(texts) }
  }

  private func parseTextList(_ value: Value) throws(LocatedFault) -> [String] {
    guard value.kind == .array else { throw wrongType(value, "an array of strings") }
    var texts: [String] = []
    for element in value.elements {
      guard let text = element.string else { throw wrongType(element, "a string") }
      texts += try located(element) { () throws(Fault) in
        switch definition.form {
        case .networks: try parseNetworks([text])
        case .hostPatterns: try parseHostPatterns([text])
        default: try parseHosts([text])
        }
      }
    }
    return texts
  }

  private func parseAliasObject(_ value: Value) throws(LocatedFault) -> [Alias] {
    guard value.kind == .object else {
      throw wrongType(value, "an object such as `{\"www.example.com\": \"example.com\"}`")
    }
    var list: [Alias] = []
    var targets: [String: String] = [:]
    for member in value.members {
      guard let target = member.value.string else { throw wrongType(member.value, "a host name") }
      do throws(Fault) {
        let alias = try parseAlias((from: member.key, to: target))
        guard targets.updateValue(alias.to, forKey: alias.from) == nil else {
          throw Fault(
            .duplicateKey, "`\(member.key)` is an alias twice", help: "keep one of the two")
        }
        list.append(alias)
      } catch {
        throw LocatedFault(error, member.keyRange.lowerBound..<member.value.range.upperBound)
      }
    }
    try located(value) { () throws(Fault) in try refuseChains(list, targets) }
    return list
  }

  private func parseChoice(_ text: String, of words: [String]) throws(Fault) -> String {
    if words.contains(text) { return text }
    let guess = nearest(to: text, among: words).map { "did you mean `\($0)`?" }
    throw Fault(
      .badChoice, "`\(text)` is none of \(words.map { "`\($0)`" }.joined(separator: ", "))",
      help: guess ?? "write `\(words[0])`")
  }

  private func wrongType(_ value: Value, _ expected: String) -> LocatedFault {
    let example =
      switch definition.form {
      case .count: defaultText
      case .aliases: "{\"www.example.com\": \"example.com\"}"
      case .hostPatterns: "[\"*.example.com\"]"
      case .networks: "[\"10.0.0.0/8\"]"
      case .hosts: "[\"aasa.internal\"]"
      default: "\"\(defaultText)\""
      }
    return LocatedFault(
      Fault(
        .wrongType, "`\(key)` must be \(expected), not \(value.kind.words)",
        help: "write `\"\(key)\": \(example)`, or leave the key out"),
      value.range)
  }
}

/// A fault and the bytes of server.json that it is about.
struct LocatedFault: Error {
  let fault: Fault
  let range: Range<Int>

  init(_ fault: Fault, _ range: Range<Int>) {
    self.fault = fault
    self.range = range
  }
}

private func located<Result>(
  _ value: Value, _ body: () throws(Fault) -> Result
) throws(LocatedFault) -> Result {
  do throws(Fault) { return try body() } catch { throw LocatedFault(error, value.range) }
}

extension Value.Kind {
  /// With its article.
  fileprivate var words: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "this number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }
}
