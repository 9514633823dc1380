/// The goal of waiting.
package enum WaitGoal: String, CaseIterable, Sendable {
  case reachable
  case originMatches = "origin-matches"
  case cdnMatches = "cdn-matches"
}
