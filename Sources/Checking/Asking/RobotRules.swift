internal import Bytes

/// The rules of a `robots.txt` that apply to one robot (RFC 9309).
struct RobotRules {
  private var rules: [(pattern: [UInt8], isAllowed: Bool)] = []

  /// The maximum number of bytes of a `robots.txt` that are read (RFC 9309 section 2.5).
  static let bytes = 512_000

  /// - Parameter robot: The name of the robot in lower case.
  init(_ text: [UInt8], for robot: String) {
    var named: [(pattern: [UInt8], isAllowed: Bool)] = []
    var others: [(pattern: [UInt8], isAllowed: Bool)] = []
    var isNamed = false
    // If a group is for this robot, ignore the groups for all robots (`*`).
    var (concerns, concernsAll, isInRules) = (false, false, false)
    for line in text.prefix(Self.bytes).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let words = String(decoding: line.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
        .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2 else { continue }
      let value = words[1].drop(while: \.isWhitespace)
      let text = value.prefix { !$0.isWhitespace }
      switch words[0].filter({ !$0.isWhitespace }).lowercased() {
      case "user-agent":
        // Several user-agent lines in a row begin the same group.
        if isInRules { (concerns, concernsAll, isInRules) = (false, false, false) }
        if text.lowercased() == robot { (concerns, isNamed) = (true, true) }
        if text == "*" { concernsAll = true }
      case let name where name == "allow" || name == "disallow":
        isInRules = true
        if text.isEmpty { continue }
        let rule = (pattern: Array(text.utf8), isAllowed: name == "allow")
        if concerns { named.append(rule) }
        if concernsAll { others.append(rule) }
      default: break
      }
    }
    rules = isNamed ? named : others
  }

  /// Returns whether the robot may request a path. The longest pattern that matches the path
  /// decides. If two such patterns are equally long and only one of them allows the path, the path
  /// is allowed.
  func permits(_ path: String) -> Bool {
    let path = Array(path.utf8)
    let matching = rules.filter { Self.matches($0.pattern, path) }
    guard let longest = matching.map(\.pattern.count).max() else { return true }
    return matching.contains { $0.pattern.count == longest && $0.isAllowed }
  }

  /// Returns whether a pattern matches a path. In a pattern, `*` matches any text, and a `$` at the
  /// end matches the end of the path.
  private static func matches(_ pattern: [UInt8], _ path: [UInt8]) -> Bool {
    let isWhole = pattern.last == UInt8(ascii: "$")
    let parts = (isWhole ? pattern.dropLast() : pattern[...])
      .split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
    guard let first = parts.first, path.starts(with: first) else { return false }
    var rest = path.dropFirst(first.count)
    for (index, part) in parts.enumerated().dropFirst() {
      if isWhole && index == parts.count - 1 {
        return rest.count >= part.count && rest.suffix(part.count).elementsEqual(part)
      }
      if part.isEmpty { continue }
      guard let found = firstRange(of: part.span, in: rest.span) else { return false }
      rest = rest.dropFirst(found.upperBound)
    }
    return !isWhole || rest.isEmpty
  }
}
