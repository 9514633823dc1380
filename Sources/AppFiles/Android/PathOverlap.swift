package import Diagnostics

extension PathPattern {
  /// Returns whether a path may match both this pattern and `text`, a pattern in which `?` means
  /// any one character and `*` any number of characters. Also returns true if the comparison is
  /// uncertain, or the budget is spent.
  package func mayOverlap(wildcards text: String, _ budget: inout Budget) -> Bool {
    let (left, right) = (steps, Self.steps(wildcards: text))
    budget.spend((left.count + 1) * (right.count + 1))
    if budget.isSpent { return true }
    // Whether the search has visited a pair of positions, one in each pattern. The search visits a
    // pair if one text can match both patterns up to these positions.
    let width = right.count + 1
    var seen = [Bool](repeating: false, count: (left.count + 1) * width)
    var open = [(0, 0)]
    while let (first, second) = open.popLast() {
      if seen[first * width + second] { continue }
      seen[first * width + second] = true
      if first == left.count, second == right.count { return true }
      let one = first < left.count ? left[first] : nil
      let other = second < right.count ? right[second] : nil
      if one?.isOptional == true { open.append((first + 1, second)) }
      if other?.isOptional == true { open.append((first, second + 1)) }
      guard let one, let other, one.set.overlaps(other.set) else { continue }
      let nextFirst = one.isRepeated ? [first, first + 1] : [first + 1]
      let nextSecond = other.isRepeated ? [second, second + 1] : [second + 1]
      for next in nextFirst { open += nextSecond.map { (next, $0) } }
    }
    return false
  }

  /// A step of a pattern: one character of a set. The character may be optional, and it may be
  /// repeated.
  private struct Step {
    let set: UnitSet
    var isOptional = false
    var isRepeated = false

    static let anything = Step(set: .any, isOptional: true, isRepeated: true)
  }

  /// Steps that match every path that this pattern matches. They may also match other paths.
  private var steps: [Step] {
    (isSuffix ? [.anything] : [])
      + pieces.flatMap { piece -> [Step] in
        switch piece {
        case .run(let set, let least, let most): Self.steps(set, least, most)
        case .until(let unit): [.anything, Step(set: UnitSet(unit))]
        case .rest: [.anything]
        }
      }
  }

  private static func steps(_ set: UnitSet, _ least: Int, _ most: Int) -> [Step] {
    let many = 16
    let needed = [Step](repeating: Step(set: set), count: min(least, many))
    if most > many { return needed + [Step(set: set, isOptional: true, isRepeated: true)] }
    return needed + [Step](repeating: Step(set: set, isOptional: true), count: most - least)
  }

  private static func steps(wildcards text: String) -> [Step] {
    text.unicodeScalars.flatMap { scalar -> [Step] in
      switch scalar {
      case "*": [.anything]
      // One character consists of one or two UTF-16 code units.
      case "?": [Step(set: .any), Step(set: .any, isOptional: true)]
      default: String(Character(scalar)).utf16.map { Step(set: UnitSet($0)) }
      }
    }
  }
}
