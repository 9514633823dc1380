package import Diagnostics
internal import Rules

/// The limits for the patterns of one file.
package enum MatchingLimits {
  /// The maximum number of states of all patterns of one file. A pattern has about one state for
  /// each character of its text and of its variables' values; `$(lang)` has about a thousand
  /// states. A file of 128 KiB exceeds this maximum only if many rules use variables with many
  /// values.
  package static let states = 8_000_000

  /// The maximum size of all transition tables of one file, in 8-byte words.
  package static let tableWords = 16_777_216

  /// The budget for compiling all patterns of one file.
  package static var compiling: Budget { Budget(operations: states, bytes: 8 * tableWords) }
}

/// The size of a pattern after its variables are replaced by their values.
struct PatternSize {
  /// The exact number of vertices in the pattern's `TokenGraph`.
  var vertices = 0
  /// The maximum number of jumps into and out of the values of variables that one character can
  /// trigger. The jumps of a variable are included only if a `*` comes before the variable or is in
  /// one of its values.
  var jumps = 0
  /// Whether the pattern has a `*`.
  var hasRun = false
  /// The ASCII characters in the pattern, one bit for each: `low` is for the characters below 64,
  /// and `high` for the characters from 64.
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  /// An upper bound for the number of different non-ASCII characters in the pattern.
  private var others = 0

  /// The approximate size of the automaton's tables, in 8-byte words.
  func tableWords(foldingCase: Bool) -> Int {
    var letters = high
    if foldingCase {
      let upper: UInt64 = 0x07FF_FFFE
      letters |= (high & upper) << 32 | (high >> 32) & upper
    }
    let classes = 1 + low.nonzeroBitCount + letters.nonzeroBitCount + others * (foldingCase ? 3 : 1)
    return (vertices + 63) / 64 * (classes + 8)
  }

  mutating func add(_ text: some Sequence<Unicode.Scalar>) {
    for scalar in text {
      vertices += 1
      add(scalar)
    }
  }

  mutating func add(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0..<64: low |= 1 << UInt64(scalar.value)
    case 64..<128: high |= 1 << UInt64(scalar.value - 64)
    default: others += 1
    }
  }

  mutating func add(_ other: PatternSize) {
    vertices += other.vertices
    jumps += other.jumps
    hasRun = hasRun || other.hasRun
    low |= other.low
    high |= other.high
    others += other.others
  }
}

/// Computes the sizes of patterns from their texts. Does not build graphs, because thousands of
/// rules may use a variable with thousands of values.
struct PatternSizes {
  private let variables: SubstitutionVariables
  private var known: [ExactText: PatternSize] = [:]

  init(_ variables: SubstitutionVariables) { self.variables = variables }

  mutating func size(of pattern: String) -> PatternSize {
    var size = PatternSize()
    // Count the vertex at the end.
    size.vertices = 1
    guard pattern.utf8.contains(UInt8(ascii: "$")) else {
      size.add(pattern.unicodeScalars)
      return size
    }
    for part in PatternSyntax(pattern).parts {
      switch part.token {
      case .variable(let name):
        var variable = sizeOfVariable(name)
        if !size.hasRun && !variable.hasRun { variable.jumps = 0 }
        size.add(variable)
      case .literal(let scalar):
        size.vertices += 1
        size.add(scalar)
      case .anyCharacter: size.vertices += 1
      case .anyRun:
        size.vertices += 1
        size.hasRun = true
      }
    }
    return size
  }

  private mutating func sizeOfVariable(_ name: String) -> PatternSize {
    let key = ExactText(name)
    if let size = known[key] { return size }
    var size = PatternSize()
    // Count the branch vertex.
    size.vertices = 1
    if let variable = variables[name] {
      for value in variable.values {
        size.add(value.value.unicodeScalars)
        // Count the vertex where the values meet.
        size.vertices += 1
        size.jumps += 2
        size.hasRun = size.hasRun || value.value.utf8.contains(UInt8(ascii: "*"))
      }
    } else if let predefined = PredefinedVariable(rawValue: name) {
      for byte in predefined.characters ?? [] { size.add(Unicode.Scalar(byte)) }
      for group in predefined.codeGroups ?? [] {
        size.add(group.start.unicodeScalars)
        for byte in group.lastLetters { size.add(Unicode.Scalar(byte)) }
        size.vertices += 2
        size.jumps += 2
      }
    }
    known[key] = size
    return size
  }
}

/// The key of a stored size. Patterns with equal keys have the same size.
private struct SizedPattern: Hashable {
  let pattern: ExactText
  let isPath: Bool
  let caseSensitive: Bool
}

extension AppLinks {
  /// Throws if all patterns together, without duplicates, have more states or larger tables than
  /// the budget allows.
  func checkSize(_ budget: Budget) throws(PatternsTooLarge) {
    var sizes = PatternSizes(variables)
    var seen: Set<SizedPattern> = []
    var budget = budget
    for entry in entries {
      for rule in entry.rules {
        for (part, _, pattern) in rule.effective.patterns {
          let key = SizedPattern(
            pattern: ExactText(pattern.value), isPath: part == .path,
            caseSensitive: rule.isCaseSensitive)
          guard seen.insert(key).inserted else { continue }
          let size = sizes.size(of: pattern.value)
          budget.spend(
            size.vertices, bytes: 8 * size.tableWords(foldingCase: !rule.isCaseSensitive))
          if budget.isSpent { throw PatternsTooLarge() }
        }
      }
    }
  }
}

extension Association {
  /// The maximum time for a decision about a link for all apps, in nanoseconds for each character
  /// of the link. The time was measured with an optimized build on an ordinary server, and rounded
  /// up.
  package var nanosecondsPerCharacter: Int {
    // The time for reading the link itself. A query with many short items takes the longest.
    var time = 60
    guard let applinks else { return time }
    var sizes = PatternSizes(applinks.variables)
    for rule in applinks.entries.lazy.flatMap(\.rules) {
      for (_, _, pattern) in rule.effective.patterns {
        time += sizes.size(of: pattern.value).nanosecondsPerCharacter
      }
    }
    return time
  }
}

extension PatternSize {
  /// The maximum time for one character of a text, in nanoseconds. For each character, the
  /// automaton visits every word of a set of states.
  fileprivate var nanosecondsPerCharacter: Int {
    let words = (vertices + 63) / 64
    if jumps > 0 { return 140 + 2 * words + jumps / 4 }
    return words == 1 ? 3 : 70 + 2 * words
  }
}
