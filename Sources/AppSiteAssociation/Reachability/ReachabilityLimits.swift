/// How much work questions about what rules decide may take.
///
/// Deciding whether one pattern's language lies within that of others can take exponential time in
/// the worst case. Beyond these limits the answer is "unknown", never a wrong one.
package enum ReachabilityLimits {
  /// The states of one pattern's automaton. Patterns with variables of thousands of values have
  /// more.
  package static let patternStates = 8_192

  /// The states of all patterns whose rules are compared, equal patterns once, and what each pattern
  /// takes beside its states, in the same measure: about 0.2 microseconds each.
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

  /// The work that one question may take, counted in machine words that are computed: about
  /// a hundred nanoseconds each.
  package static let questionSteps = 1_000_000

  /// Of that, the work to find a shorter example when there is one.
  package static let exampleSteps = 100_000

  /// The work that all questions about one file's rules may take together, when there are no more
  /// rules than people write by hand, and when there are more.
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

  /// Allows no more than `amount` from now on.
  mutating func reduce(to amount: Int) { limit = min(limit, spent + amount) }
}
