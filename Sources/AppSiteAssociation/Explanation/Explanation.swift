/// How a decision came about: each rule that was tried, and what each of its parts said.
package struct Explanation: Sendable {
  package let decision: Decision
  /// In the order of trying; the last one is the rule that decided, if one did.
  package let trials: [RuleTrial]

  package init(decision: Decision, trials: [RuleTrial] = []) {
    self.decision = decision
    self.trials = trials
  }
}

/// One rule that was tried.
package struct RuleTrial: Sendable {
  package let reference: RuleReference
  /// What the rule asks for, up to the first part that does not match. Empty for a rule that asks
  /// for nothing and so matches everything.
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
    /// A query item by its name; `isPresent`: it is in the URL, otherwise it counts as empty.
    case item(String, isPresent: Bool)
  }

  package let part: Part
  package let pattern: String
  /// The text as it was compared: a path normalised, decoded without `percentEncoded`.
  package let text: String
  /// Nil when the pattern matched.
  package let mismatch: Mismatch?
}

/// Where a pattern stopped matching.
package struct Mismatch: Sendable, Equatable {
  /// The characters (Unicode scalars) of the text after which the pattern could still have matched.
  package let reached: Int
  /// What could have come there, as words or characters in backquotes; empty when nothing could.
  package let expected: [String]
  /// Whether the text could have ended there.
  package let couldEnd: Bool
  package let cause: Cause?

  /// Why it did not match, when there is a better answer than a place.
  package enum Cause: Sendable, Equatable {
    /// A variable that neither the file nor Apple defines.
    case undefinedVariable(String)
    /// It would match with `caseSensitive: false`.
    case letterCase
    /// It would match with the other value of `percentEncoded`, which this is.
    case percentEncoding(Bool)
  }
}
