/// The limits of the work for questions about the decisions of rules.
///
/// Deciding whether one pattern's language is within that of others can take exponential time in
/// the worst case. Beyond these limits the answer is "unknown", never a wrong one.
package enum ReachabilityLimits {
  /// The states of one pattern's automaton. Patterns with variables of thousands of values have
  /// more.
  package static let patternStates = 8_192

  /// The states of all patterns of the compared rules, without duplicates, and each pattern's
  /// overhead in the same unit: about 0.2 microseconds each.
  package static let fileStates = 300_000
  package static let statesForPattern = 20

  /// The words of 8 bytes of all patterns' tables together.
  package static let tableWords = 4_194_304

  static func compiling(states: Int) -> CompiledRules.Limits {
    CompiledRules.Limits(
      patternStates: patternStates, states: states, statesForPattern: statesForPattern,
      tableWords: tableWords)
  }

  /// The words that patterns' states may take before they are forgotten between two questions.
  package static let keptWords = 2_097_152

  /// The work for one question, counted in machine words that are computed: about a hundred
  /// nanoseconds each.
  package static let questionSteps = 1_000_000

  /// The part of that work for finding a shorter example if there is one.
  package static let exampleSteps = 100_000

  /// The work for all questions about one file's rules together, for as many rules as people write
  /// by hand, and for more.
  package static let fileSteps = 20_000_000
  package static let largeFileSteps = 2_500_000
  package static let handWrittenRules = 200

  /// The work that the comparison of two files may take.
  package static let differenceSteps = 4_000_000

  /// The states that one exploration may find.
  package static let states = 200_000

  /// The examples that the comparison of one app's rules collects.
  package static let examples = 1_000
}

/// The work that is done before the answer is "unknown".
struct WorkBudget: Sendable {
  private var limit: Int
  private(set) var spent = 0

  init(_ limit: Int) { self.limit = limit }

  var isSpent: Bool { spent >= limit }

  @inline(__always)
  mutating func spend(_ amount: Int) { spent += amount }

  /// Limits the rest to `amount`.
  mutating func reduce(to amount: Int) { limit = min(limit, spent + amount) }
}
