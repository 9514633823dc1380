internal import Rules

extension ExampleURL {
  /// A URL that a rule matches, made from the text of its patterns with `run` for each `*`; nil if
  /// finding one takes more. With an empty run and without variables it is a shortest one.
  ///
  /// Without `variables` patterns with variables are skipped.
  static func quick(
    _ rule: Rule, run: String, _ variables: SubstitutionVariables?
  ) -> ExampleURL? {
    let recipe = QuickRecipe(run: run, variables: variables)
    let fields = rule.effective
    let pattern = fields.path?.value ?? "/"
    // Devices put a slash before any other beginning.
    guard pattern.utf8.first == UInt8(ascii: "/"),
      let path = recipe.text(pattern, allowing: "/"),
      let fragment = recipe.text(fields.fragment?.value ?? "")
    else { return nil }
    var example = ExampleURL(path: path, fragment: fragment)
    // Programs that join or clean up paths could change these.
    if holds("//", path) || holds("/.", path) { return nil }
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

/// The way to make an example of a pattern.
private struct QuickRecipe {
  /// The text that replaces `*`.
  let run: String
  let variables: SubstitutionVariables?

  /// A text of a pattern, if all of its characters mean the same written and decoded (RFC 3986
  /// 2.3).
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
          isASCIILetter(byte) || isASCIIDigit(byte) || "-._~".utf8.contains(byte)
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

/// What a look at a rule's patterns says, without compiling them.
struct QuickLook: Sendable {
  /// The characters with which every path begins that the rule matches: up to the first wildcard or
  /// variable, ASCII letters in lower case, without the last slash, which need not be there.
  private let prefix: [UInt8]
  private let isDecoded: Bool
  /// Whether only URLs with such a part match.
  private let needsQuery: Bool
  private let needsFragment: Bool

  init(_ rule: Rule) {
    let fields = rule.effective
    isDecoded = !rule.isPercentEncoded
    var prefix = [UInt8(ascii: "/")]
    let parts = fields.path.map { PatternSyntax($0.value).parts } ?? []
    for part in parts {
      guard case .literal(let scalar) = part.token, scalar.isASCII else { break }
      if scalar == "/" && prefix.last == UInt8(ascii: "/") { continue }
      prefix.append(UInt8(scalar.value) | (("A"..."Z").contains(scalar) ? 0x20 : 0))
    }
    if prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
    self.prefix = prefix
    needsQuery =
      switch fields.query {
      case .whole(let pattern): Self.needsText(pattern.value)
      case .items(let items, _): items.contains { Self.needsText($0.pattern.value) }
      case nil: false
      }
    needsFragment = fields.fragment.map { Self.needsText($0.value) } ?? false
  }

  /// Whether the empty text does not match a pattern. A variable may have an empty value.
  private static func needsText(_ pattern: String) -> Bool {
    PatternSyntax(pattern).parts.contains { part in
      switch part.token {
      case .literal, .anyCharacter: true
      case .anyRun, .variable: false
      }
    }
  }

  /// False only when no path matches both rules. Case is ignored, which can only say true too often.
  func mayMatchPaths(of other: QuickLook) -> Bool {
    let count = min(prefix.count, other.prefix.count)
    return isDecoded != other.isDecoded || prefix.prefix(count) == other.prefix.prefix(count)
  }

  /// Whether the rule does not match the example because the example lacks a part.
  func lacksPart(_ example: ExampleURL) -> Bool {
    needsQuery && example.query.isEmpty || needsFragment && example.fragment.isEmpty
  }
}

extension [QuickLook] {
  /// The rules before one that may match a path that it matches.
  func related(before rule: Int) -> [Int] {
    (0..<rule).filter { self[$0].mayMatchPaths(of: self[rule]) }
  }

  /// A URL that the rule at that place decides; nil unless a look at the rules before it shows that
  /// none of them matches, as it does for nearly all rules of nearly all files.
  func example(decidedBy index: Int, _ rule: Rule) -> ExampleURL? {
    guard let example = ExampleURL.quick(rule, run: "", nil),
      related(before: index).allSatisfy({ self[$0].lacksPart(example) })
    else { return nil }
    return example
  }
}
