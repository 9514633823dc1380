internal import Bytes

/// The comparison of one part of a URL with a pattern.
struct PartTrial {
  let part: URLPart
  /// The query item that was compared; nil if the whole part was compared. A missing query item is
  /// compared as an empty value.
  let item: (name: String, isPresent: Bool)?
  let pattern: String
  /// The text that was compared with the pattern. A path is normalized. If `percentEncoded` is
  /// false for the rule, percent-encoded characters are decoded.
  let text: String
  /// Where the pattern stopped matching; nil if the pattern matched.
  let mismatch: Mismatch?
}

/// The place where a pattern stopped matching.
struct Mismatch {
  /// The number of characters (Unicode scalars) at the beginning of the text that the pattern
  /// accepts.
  let reached: Int
  /// The characters that the pattern allows next, in words or in backquotes. Empty if the pattern
  /// allows no further character.
  let expected: [String]
  /// Whether the pattern would match if the text ended at the position of the mismatch.
  let couldEnd: Bool
  var cause: Cause?

  /// A cause that explains the mismatch better than the position of the mismatch.
  enum Cause {
    /// The pattern uses a variable that neither the file nor Apple defines.
    case undefinedVariable(String)
    /// The pattern would match with `caseSensitive: false`.
    case letterCase
    /// The pattern would match if `percentEncoded` had this value.
    case percentEncoding(Bool)
  }
}

extension PartTrial {
  /// A phrase such as: path matched `/help/*`
  var sentence: String {
    guard let mismatch else { return match }
    if case .undefinedVariable(let variable) = mismatch.cause {
      return "\(name): \(quoted("$(\(variable))")) is not defined, so \(quoted(pattern))"
        + " never matches"
    }
    return place(mismatch) + hint(mismatch)
  }

  private var match: String {
    guard text.isEmpty, isOnlyAsterisks(pattern) else {
      return "\(name) matched \(quoted(pattern))"
    }
    if item?.isPresent == true {
      return "\(name) is empty, which \(quoted(pattern)) accepts"
    }
    return "\(name) is absent and treated as empty, which \(quoted(pattern)) accepts"
  }

  private var name: String {
    item.map { "query \(quoted($0.name))" } ?? "\(part)"
  }

  private func place(_ mismatch: Mismatch) -> String {
    let scalars = Array(text.unicodeScalars)
    // If a pattern consists only of `?`, the two lengths explain the mismatch better than the
    // position of the mismatch.
    let needed = pattern.unicodeScalars.count
    if !pattern.isEmpty, !scalars.isEmpty, pattern.unicodeScalars.allSatisfy({ $0 == "?" }) {
      return
        "\(name) has \(scalars.count.counting("character")), but \(quoted(pattern)) needs \(needed)"
    }
    if pattern.isEmpty { return "\(name) \(quoted(text)) is not empty, but the pattern is" }
    let next = list(mismatch)
    if scalars.isEmpty {
      let state = item?.isPresent == false ? "is absent and treated as empty" : "is empty"
      return "\(name) \(state), but \(quoted(pattern)) needs \(next)"
    }
    if mismatch.reached >= scalars.count {
      return "\(name) \(quoted(text)) ends where \(quoted(pattern)) needs \(next)"
    }
    let found = String(String.UnicodeScalarView(scalars[mismatch.reached...]))
    if mismatch.reached == 0 {
      return "\(name) \(quoted(text)) does not begin with \(next), which"
        + " \(quoted(pattern)) requires"
    }
    let agreed = String(String.UnicodeScalarView(scalars[..<mismatch.reached]))
    return "\(name) matched \(quoted(pattern)) up to \(quoted(agreed)), then has"
      + " \(quoted(found)) where the pattern needs \(next)" + unicodeHint(found, mismatch)
  }

  /// Returns a hint if the found and the expected character differ only in their Unicode form. Swift
  /// treats such characters as equal, but devices do not.
  private func unicodeHint(_ found: String, _ mismatch: Mismatch) -> String {
    guard let first = found.first, mismatch.expected.contains("`\(first)`") else { return "" }
    return " (the same character in another Unicode form)"
  }

  private func hint(_ mismatch: Mismatch) -> String {
    switch mismatch.cause {
    case .letterCase: " (only the letter case differs)"
    case .percentEncoding(let value): " (it would match with percentEncoded \(value))"
    case .undefinedVariable, nil: ""
    }
  }

  private func list(_ mismatch: Mismatch) -> String {
    var words = mismatch.expected
    if words.count > 4 { words = words.prefix(3) + ["one of \(words.count - 3) other characters"] }
    if mismatch.couldEnd { words.append("the end") }
    guard let last = words.popLast() else { return "text that no URL can contain" }
    return words.isEmpty ? last : words.joined(separator: ", ") + " or " + last
  }

  private func quoted(_ text: String) -> String {
    let limit = 80
    return "`" + (text.count <= limit ? text : text.prefix(limit - 1) + "…") + "`"
  }
}
