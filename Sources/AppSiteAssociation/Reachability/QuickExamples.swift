internal import Bytes
internal import Rules

extension ExampleURL {
  /// Returns a URL that a rule matches, made by replacing each `*` in the rule's patterns with
  /// `run`. Nil if this simple method does not produce such a URL. If `run` is empty and the rule
  /// has no variables, the rule matches no URL that is shorter than the returned URL.
  ///
  /// If `variables` is nil, patterns with variables are skipped.
  static func quick(
    _ rule: Rule, run: String, _ variables: SubstitutionVariables?
  ) -> ExampleURL? {
    let recipe = QuickRecipe(run: run, variables: variables)
    let fields = rule.effective
    let pattern = fields.path?.value ?? "/"
    // Devices prepend a slash to patterns that do not begin with a slash.
    guard pattern.utf8.first == UInt8(ascii: "/"),
      let path = recipe.text(pattern, allowing: "/"),
      let fragment = recipe.text(fields.fragment?.value ?? "")
    else { return nil }
    var example = ExampleURL(path: path, fragment: fragment)
    // Programs that join or normalize paths could change a path with `//` or `/.`, so such a path
    // is not a good example.
    if path.contains("//") || path.contains("/.") { return nil }
    switch fields.query {
    case .whole(let pattern):
      guard let query = recipe.text(pattern.value, allowing: "=&") else { return nil }
      example.query = query
    case .items(let items, _):
      for item in items {
        let plain = QuickRecipe(run: "", variables: nil)
        guard let name = plain.text(item.name.value), name == item.name.value, !name.isEmpty,
          let value = recipe.text(item.pattern.value)
        else { return nil }
        example.query += (example.query.isEmpty ? "" : "&") + name + "=" + value
      }
    case nil: break
    }
    return example
  }
}

/// Turns a pattern into an example text by replacing its wildcards and variables.
private struct QuickRecipe {
  /// The text that replaces `*`.
  let run: String
  let variables: SubstitutionVariables?

  /// Returns a text that the pattern matches. Nil if the pattern has a literal character that is
  /// neither unreserved (RFC 3986 2.3) nor in `others`, or a variable without a known value.
  func text(_ pattern: String, allowing others: String = "") -> String? {
    text(PatternSyntax(pattern), allowing: others)
  }

  private func text(_ syntax: PatternSyntax, allowing others: String) -> String? {
    var text: [UInt8] = []
    text.reserveCapacity(syntax.parts.count)
    for part in syntax.parts {
      switch part.token {
      case .anyRun: text += run.utf8
      case .anyCharacter: text.append(UInt8(ascii: "x"))
      case .variable(let name):
        guard let value = value(of: name, allowing: others) else { return nil }
        text += value.utf8
      case .literal(let scalar):
        guard let byte = UInt8(exactly: scalar.value), byte < 0x80,
          byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
            || others.utf8.contains(byte)
        else { return nil }
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func value(of name: String, allowing others: String) -> String? {
    guard let variables else { return nil }
    if let variable = variables[name] {
      guard let value = variable.values.first?.value else { return nil }
      return text(PatternSyntax(value, isVariableValue: true), allowing: others)
    }
    guard let predefined = PredefinedVariable(rawValue: name) else { return nil }
    if let character = predefined.characters?.first {
      return String(Unicode.Scalar(character))
    }
    return predefined.codes?.first.map(String.init)
  }
}

/// Facts about a rule that can be read from the texts of its patterns. The patterns are not
/// compiled.
struct QuickLook: Sendable {
  /// The text with which every matching path begins, in lower case. The text ends before the first
  /// wildcard, `$` or non-ASCII character. The text has no final slash, because a final slash of a
  /// path is optional.
  private let prefix: [UInt8]
  private let isDecoded: Bool
  /// Whether only URLs with a query match.
  private let needsQuery: Bool
  private let needsFragment: Bool

  init(_ rule: Rule) {
    let fields = rule.effective
    isDecoded = !rule.isPercentEncoded
    var prefix = [UInt8(ascii: "/")]
    for byte in (fields.path?.value ?? "").utf8 {
      // A variable begins with `$`.
      if byte >= 0x80 || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?")
        || byte == UInt8(ascii: "$")
      {
        break
      }
      if byte == UInt8(ascii: "/") && prefix.last == byte { continue }
      prefix.append(byte.isLetter ? byte | 0x20 : byte)
    }
    if prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
    self.prefix = prefix
    let patterns = fields.patterns
    func needs(_ part: URLPart) -> Bool {
      patterns.contains { $0.part == part && Self.needsText($0.pattern.value) }
    }
    needsQuery = needs(.query)
    needsFragment = needs(.fragment)
  }

  /// Whether the pattern cannot match the empty text. Ignores variables, because a variable may
  /// have an empty value.
  private static func needsText(_ pattern: String) -> Bool {
    PatternSyntax(pattern).parts.contains { part in
      switch part.token {
      case .literal, .anyCharacter: true
      case .anyRun, .variable: false
      }
    }
  }

  /// Returns false only if it is certain that no path matches both rules. Compares only the
  /// beginnings of the patterns, and ignores letter case.
  func mayMatchPaths(of other: QuickLook) -> Bool {
    let count = min(prefix.count, other.prefix.count)
    return isDecoded != other.isDecoded || prefix.prefix(count) == other.prefix.prefix(count)
  }

  /// Whether the example lacks a query or fragment that the rule needs.
  func lacksPart(_ example: ExampleURL) -> Bool {
    needsQuery && example.query.isEmpty || needsFragment && example.fragment.isEmpty
  }
}

extension [QuickLook] {
  /// Returns the indexes of the earlier rules that may match the same path as the rule at the index
  /// `rule`.
  func related(before rule: Int) -> [Int] {
    (0..<rule).filter { self[$0].mayMatchPaths(of: self[rule]) }
  }

  /// Returns a URL that the rule at `index` decides. Nil unless the facts in `QuickLook` prove that
  /// no earlier rule decides the URL. These facts are enough for nearly all rules of nearly all
  /// files.
  func example(decidedBy index: Int, _ rule: Rule) -> ExampleURL? {
    guard let example = ExampleURL.quick(rule, run: "", nil),
      related(before: index).allSatisfy({ self[$0].lacksPart(example) })
    else { return nil }
    return example
  }
}
