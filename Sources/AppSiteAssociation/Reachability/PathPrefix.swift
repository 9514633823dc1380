/// The characters at the beginning of every path that a rule matches: a quick way to see that two
/// rules have no path in common.
struct PathPrefix: Sendable {
  /// Up to the first wildcard or variable, ASCII letters in lower case, without the last slash,
  /// which is optional.
  private let bytes: [UInt8]
  private let isDecoded: Bool

  init(_ rule: Rule) {
    isDecoded = !rule.isPercentEncoded
    var bytes = [UInt8(ascii: "/")]
    let parts = rule.effective.path.map { PatternSyntax($0.value).parts } ?? []
    for part in parts {
      guard case .literal(let scalar) = part.token, scalar.isASCII else { break }
      if scalar == "/" && bytes.last == UInt8(ascii: "/") { continue }
      bytes.append(UInt8(scalar.value) | (("A"..."Z").contains(scalar) ? 0x20 : 0))
    }
    if bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    self.bytes = bytes
  }

  /// False only if no path has both prefixes. Case is ignored, so it may be true too often.
  func isCompatible(with other: PathPrefix) -> Bool {
    let count = min(bytes.count, other.bytes.count)
    return isDecoded != other.isDecoded || bytes.prefix(count) == other.bytes.prefix(count)
  }
}

extension [PathPrefix] {
  /// The rules before one that may match a path that it matches.
  func related(before rule: Int) -> [Int] {
    (0..<rule).filter { self[$0].isCompatible(with: self[rule]) }
  }
}
