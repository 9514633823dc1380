/// The course of a decision: each rule tried, with the result for each of its parts.
package struct Explanation: Sendable {
  package let decision: RuleDecision
  /// The rules in the order tried; the deciding rule, if any, is last.
  package let trials: [RuleTrial]

  package init(decision: RuleDecision, trials: [RuleTrial] = []) {
    self.decision = decision
    self.trials = trials
  }
}

/// One rule that was tried.
package struct RuleTrial: Sendable {
  package let reference: RuleReference
  /// The parts of the rule, up to the first that does not match. Empty for a rule without parts,
  /// which matches everything.
  package let parts: [PartTrial]

  package var isMatch: Bool { parts.allSatisfy { $0.mismatch == nil } }

  /// A sentence such as: path matched `/help/*`; query `articleNumber` is 3 characters, `????`
  /// needs 4
  package var sentence: String {
    parts.isEmpty ? "asks for nothing" : parts.map(\.sentence).joined(separator: "; ")
  }
}

/// One part of a URL, compared with its pattern.
package struct PartTrial: Sendable {
  package enum Part: Sendable, Equatable {
    case path, query, fragment
    /// A query item of this name; if it is not present, it counts as empty.
    case item(String, isPresent: Bool)
  }

  package let part: Part
  package let pattern: String
  /// The text as it was compared: paths are normalized, and decoded unless `percentEncoded` is set.
  package let text: String
  /// Where the pattern stopped matching; nil if it matched.
  package let mismatch: Mismatch?
}

/// The place where a pattern stopped matching.
package struct Mismatch: Sendable, Equatable {
  /// The number of characters (Unicode scalars) after which the pattern could still have matched.
  package let reached: Int
  /// The possible next characters, in words or backquotes; empty if there are none.
  package let expected: [String]
  /// Whether the text could have ended at that place.
  package let couldEnd: Bool
  package let cause: Cause?

  /// A better explanation than the place.
  package enum Cause: Sendable, Equatable {
    /// The pattern uses a variable that neither the file nor Apple defines.
    case undefinedVariable(String)
    /// The pattern would match with `caseSensitive: false`.
    case letterCase
    /// The pattern would match if `percentEncoded` were not this value.
    case percentEncoding(Bool)
  }
}
