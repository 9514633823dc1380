/// The limits of the work for questions about what rules decide.
///
/// Deciding whether other patterns cover a pattern's language can take exponential time in the
/// worst case. Beyond these limits the answer is "unknown", never wrong.
package enum ReachabilityLimits {
  /// The maximum number of states of one pattern. Patterns whose variables have thousands of values
  /// exceed it.
  package static let patternStates = 8_192

  /// The maximum number of states of all compared patterns, without duplicates, plus a fixed cost
  /// for each pattern in the same unit: about 0.2 microseconds each.
  package static let fileStates = 300_000
  package static let statesForPattern = 20

  /// The maximum size of all pattern tables together, in 8-byte words.
  package static let tableWords = 4_194_304

  static func compiling(states: Int) -> CompiledRules.Limits {
    CompiledRules.Limits(
      patternStates: patternStates, states: states, statesForPattern: statesForPattern,
      tableWords: tableWords)
  }

  /// The memory, in words, that automaton states may keep from one question to the next.
  package static let keptWords = 2_097_152

  /// The work allowed for one question, in computed machine words: about a hundred nanoseconds
  /// each.
  package static let questionSteps = 1_000_000

  /// The part of `questionSteps` allowed for finding a shorter example.
  package static let exampleSteps = 100_000

  /// The work allowed for all questions about one file's rules: for as many rules as people write
  /// by hand, and for larger files.
  package static let fileSteps = 20_000_000
  package static let largeFileSteps = 2_500_000
  package static let handWrittenRules = 200

  /// The work allowed for comparing two files.
  package static let differenceSteps = 4_000_000

  /// The maximum number of states in one exploration.
  package static let states = 200_000

  /// The maximum number of examples collected in comparing one app's rules.
  package static let examples = 1_000
}

/// The work allowed before the answer is "unknown".
struct WorkBudget: Sendable {
  private var limit: Int
  private(set) var spent = 0

  init(_ limit: Int) { self.limit = limit }

  var isSpent: Bool { spent >= limit }

  @inline(__always)
  mutating func spend(_ amount: Int) { spent += amount }

  /// Limits the remaining work to `amount`.
  mutating func reduce(to amount: Int) { limit = min(limit, spent + amount) }
}
