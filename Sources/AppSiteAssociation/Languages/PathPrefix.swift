/// The characters with which every path begins that a rule matches: a quick way to see that two
/// rules have no path in common.
struct PathPrefix: Sendable {
  /// Up to the first wildcard or variable, ASCII letters in lower case, without the last slash: that
  /// need not be there.
  private let scalars: [UInt32]
  private let isDecoded: Bool

  init(_ rule: Rule) {
    isDecoded = !rule.isPercentEncoded
    var scalars: [UInt32] = [0x2F]
    let parts = rule.effective.path.map { PatternSyntax($0.value).parts } ?? []
    for part in parts {
      guard case .literal(let scalar) = part.token, scalar.isASCII else { break }
      if scalar == "/" && scalars.last == 0x2F { continue }
      let isUpperCase = scalar.value &- 0x41 < 26
      scalars.append(isUpperCase ? scalar.value | 0x20 : scalar.value)
    }
    if scalars.last == 0x2F { scalars.removeLast() }
    self.scalars = scalars
  }

  /// False only when no path has both prefixes. Case is ignored, which can only say true too often.
  func isCompatible(with other: PathPrefix) -> Bool {
    if isDecoded != other.isDecoded { return true }
    let count = min(scalars.count, other.scalars.count)
    var index = count
    // Rules that lie next to each other often begin alike.
    while index > 0 {
      index -= 1
      if scalars[index] != other.scalars[index] { return false }
    }
    return true
  }
}
