internal import AppSiteAssociation
internal import Rules

/// Converts Apple's patterns to Android's patterns. Android compares patterns with decoded URLs,
/// and its patterns contain no variables.
struct AndroidPatterns {
  private typealias Token = AndroidPattern.Token

  let variables: SubstitutionVariables
  /// Whether Apple's systems compare the pattern with the URL as written, without decoding the URL
  /// first.
  let isPercentEncoded: Bool

  /// Converts the pattern of a path. The result also matches paths with a trailing slash, because
  /// Apple's systems ignore that slash. The result contains no repeated slashes, because Apple's
  /// systems merge them.
  func path(_ pattern: String) -> PartConversion {
    switch alternatives(pattern) {
    case .patterns(let patterns):
      var result: [[AndroidPattern.Token]] = []
      for pattern in patterns {
        guard let forms = Self.pathForms(pattern) else { return .everything }
        result += forms
        // On Apple's systems, `*/admin` also matches `/admin`.
        let rest = Array(pattern.drop { $0 == .star })
        if rest.count < pattern.count, rest.first == .character("/") {
          guard let forms = Self.pathForms(rest) else { return .everything }
          result += forms
        }
      }
      return .patterns(result)
    case let other: return other
    }
  }

  /// Converts the pattern of a fragment or of a query item's value.
  func text(_ pattern: String) -> PartConversion {
    if !pattern.isEmpty, pattern.allSatisfy({ $0 == "*" }) { return .everything }
    let result = alternatives(pattern)
    if case .patterns(let patterns) = result, patterns.contains(where: \.isEmpty) {
      return .impossible("Android cannot match an empty text")
    }
    if case .patterns(let patterns) = result, patterns.contains([.star]) { return .everything }
    return result
  }

  /// Converts the name of a query item, which has no wildcards.
  func name(_ name: String) -> PartConversion {
    let result = decoded(name.unicodeScalars.map { .character($0) })
    guard case .patterns(let names) = result else { return result }
    let scalars = (names.first ?? []).text.unicodeScalars
    if scalars.contains("*") || scalars.contains("?") {
      return .impossible("`*` and `?` in the name of a query item are wildcards on Android")
    }
    if scalars.isEmpty || scalars.contains(";") {
      return .impossible("Android cannot match a query item of this name")
    }
    return scalars.contains("=") || scalars.contains("&") ? .nothing : result
  }

  /// Converts a pattern with variables to several patterns, one for each combination of the
  /// variables' values.
  private func alternatives(_ pattern: String) -> PartConversion {
    let texts = PatternSyntax(pattern).expanded { name in
      variables[name]?.values.map(\.value) ?? PredefinedVariable(rawValue: name)?.texts ?? []
    }
    guard let texts else {
      return .impossible(
        "the rule's variables expand to more than \(PatternSyntax.alternatives) patterns, "
          + "and Android has no variables")
    }
    var patterns: [[Token]] = []
    for text in texts {
      switch decoded(AndroidPattern.written(text)) {
      case .patterns(let decoded): patterns += decoded.map(\.ordered)
      case .everything, .nothing: continue
      case .impossible(let reason): return .impossible(reason)
      }
    }
    return patterns.isEmpty ? .nothing : .patterns(patterns)
  }

  /// Decodes a pattern that Apple compares with the URL as written, because Android decodes a URL
  /// before it compares the URL with patterns.
  private func decoded(_ tokens: [Token]) -> PartConversion {
    if !isPercentEncoded { return .patterns([tokens]) }
    var result: [Token] = []
    var rest = tokens[...]
    while let token = rest.first {
      rest = rest.dropFirst()
      guard case .character(let scalar) = token else {
        result.append(token)
        continue
      }
      // A URL never contains this character unencoded, so the pattern matches no URL.
      guard isWrittenInURLs(scalar) else { return .nothing }
      guard scalar == "%" else {
        result.append(token)
        continue
      }
      rest = [token] + rest
      guard let text = Self.takeEscapes(&rest) else {
        return .impossible("Android decodes links, so it cannot match this percent-encoding")
      }
      result += text.map { .character($0) }
    }
    return .patterns([result])
  }

  /// Removes the percent-encoded bytes at the beginning of `rest`, and returns their characters.
  /// Returns nil if the bytes are not valid UTF-8, or if a URL could contain the same characters in
  /// a different form, for example unencoded or with lower-case digits.
  private static func takeEscapes(_ rest: inout ArraySlice<Token>) -> [Unicode.Scalar]? {
    var bytes: [UInt8] = []
    while rest.first == .character("%") {
      let digits = rest.dropFirst().prefix(2).compactMap { token -> Character? in
        if case .character(let scalar) = token { Character(scalar) } else { nil }
      }
      guard digits.count == 2, !digits.contains(where: \.isLowercase),
        digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
        let byte = UInt8(String(digits), radix: 16)
      else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(3)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let scalars = Array(text.unicodeScalars)
    return scalars.contains { isWrittenInURLs($0) || $0.value < 0x20 || $0.value == 0x7F }
      ? nil : scalars
  }

  /// Returns one pattern for each form of a path that Apple's systems treat as equal, such as with
  /// and without a trailing slash. Returns nil if every path matches.
  private static func pathForms(_ pattern: [Token]) -> [[AndroidPattern.Token]]? {
    let slash = Token.character("/")
    var tokens: [Token] = [slash]
    for token in pattern where token != slash || tokens.last != slash { tokens.append(token) }
    if tokens.count > 1, tokens.last == slash { tokens.removeLast() }
    // On Apple's systems, `/buy/*` also matches `/buy`.
    if tokens.suffix(2) == [slash, .star] {
      let start = Array(tokens.dropLast(2))
      if start.isEmpty { return nil }
      guard let forms = pathForms(start) else { return nil }
      return start.last == .star ? forms : forms.filter { $0.last != slash } + [tokens]
    }
    if tokens.last == .star || tokens == [slash] { return [tokens] }
    return [tokens, tokens + [slash]]
  }
}

extension [AndroidPattern.Token] {
  /// Whether wildcards at the end of the pattern could match a trailing slash. For example, `/a?`
  /// matches `/a/` on Android, but Apple's systems ignore the slash.
  var mayEndInSlash: Bool {
    let end = reversed().prefix { $0 != .character("/") }
    let wildcards = end.prefix(while: \.isWildcard)
    let count = wildcards.count { $0 == .any }
    return count > 1 || count == 1 && wildcards.count < end.count
  }
}
