/// The course of a decision: each rule that was tried, and the result of each of its parts.
package struct Explanation: Sendable {
  package let decision: RuleDecision
  /// In the order of trying; the last one is the deciding rule, if there is one.
  package let trials: [RuleTrial]

  package init(decision: RuleDecision, trials: [RuleTrial] = []) {
    self.decision = decision
    self.trials = trials
  }
}

/// One rule that was tried.
package struct RuleTrial: Sendable {
  package let reference: RuleReference
  /// The parts of the rule, up to the first one that does not match. Empty for a rule without
  /// parts, which matches everything.
  package let parts: [PartTrial]

  package var isMatch: Bool { parts.allSatisfy { $0.mismatch == nil } }

  /// For example: path matched `/help/*`; query `articleNumber` is 3 characters, `????` needs 4
  package var sentence: String {
    parts.isEmpty ? "asks for nothing" : parts.map(\.sentence).joined(separator: "; ")
  }
}

/// One part of a URL against its pattern.
package struct PartTrial: Sendable {
  package enum Part: Sendable, Equatable {
    case path, query, fragment
    /// A query item by its name; `isPresent` if the URL has it, otherwise it counts as empty.
    case item(String, isPresent: Bool)
  }

  package let part: Part
  package let pattern: String
  /// The text in the form in which it was compared: a path normalised, decoded without
  /// `percentEncoded`.
  package let text: String
  /// Nil if the pattern matched.
  package let mismatch: Mismatch?
}

/// The place where a pattern stopped matching.
package struct Mismatch: Sendable, Equatable {
  /// The characters (Unicode scalars) of the text after which the pattern could still have matched.
  package let reached: Int
  /// The possible next characters, as words or characters in backquotes; empty if there are none.
  package let expected: [String]
  /// Whether the text could have ended there.
  package let couldEnd: Bool
  package let cause: Cause?

  /// The reason, if there is a better one than a place.
  package enum Cause: Sendable, Equatable {
    /// A variable that neither the file nor Apple defines.
    case undefinedVariable(String)
    /// It would match with `caseSensitive: false`.
    case letterCase
    /// It would match with the other value of `percentEncoded`; this is the current one.
    case percentEncoding(Bool)
  }
}
