internal import Bytes
package import Diagnostics

/// An expectation that a file does not meet.
package struct CaseFailure: Sendable {
  /// The message: one sentence that starts in lower case and has no full stop.
  package let message: String
  /// The reasons, for messages. If a rule decides, the reason is this rule. Otherwise, each reason
  /// says why one rule did not match.
  package let reasons: [String]
}

/// Why an expectation could not be checked.
package enum UncheckedExpectation: Error {
  case patternsTooLarge
  /// The remaining budget is too small for checking the expectation.
  case tooExpensive

  package var message: String {
    switch self {
    case .patternsTooLarge: tooLargePatterns
    case .tooExpensive:
      "the expectation was not checked: there are too many expectations for so many rules; test "
        + "fewer expectations at once"
    }
  }
}

extension LinkFile {
  /// Returns why the file does not meet an expectation; nil if the file meets the expectation.
  ///
  /// If an expectation about Apple's file has no app, all apps are checked together: the result is
  /// `opens` if the link opens any app, otherwise `blocked` if the link is blocked for any app,
  /// otherwise `browser`. On Android, each app must meet the expectation.
  package func failure(
    of expectation: Expectation, _ budget: inout Budget
  ) throws(UncheckedExpectation) -> CaseFailure? {
    let asked = expectation.app.map { [$0] } ?? apps
    let trials = mostTrials(for: asked)
    budget.spend(
      asked.count * CaseLimits.workOfApp
        + trials * (1 + expectation.url.utf8.count / CaseLimits.bytesAtOnce))
    if budget.isSpent { throw .tooExpensive }
    let decisions = decide(expectation.url, for: asked)
    let wrong: Int?
    if platform.judgesAppsTogether {
      let strongest = decisions.indices.min { decisions[$0].strength < decisions[$1].strength }
      if strongest.map({ decisions[$0].outcome }) ?? .browser == expectation.outcome { return nil }
      wrong = strongest
    } else {
      wrong = decisions.firstIndex { $0.outcome != expectation.outcome }
      if wrong == nil, !asked.isEmpty || expectation.outcome == .browser { return nil }
    }
    // Charge for the line numbers in the reasons: to find a line number, the whole file is read.
    budget.spend(trials * CaseLimits.workOfReasons + source.bytes.count / CaseLimits.bytesAtOnce)
    let found = wrong.map { decisions[$0].outcome } ?? .browser
    let isAboutAll = platform.judgesAppsTogether && found == .browser
    let app = isAboutAll ? expectation.app : wrong.map { asked[$0] }
    return CaseFailure(
      message: "\(expectation.url) \(found.words(for: app))\(platform.suffix), but "
        + "\(expectation.outcome.rawValue) is expected",
      reasons: try mapping(reasons(expectation.url, wrong.map { (asked[$0], decisions[$0]) })) {
        (_: PatternsTooLarge) in UncheckedExpectation.patternsTooLarge
      })
  }

  private func reasons(
    _ url: String, _ decided: (app: String, decision: LinkDecision)?
  ) throws(PatternsTooLarge) -> [String] {
    guard let decided else { return ["the file lists no app for links"] }
    let trials = try trials(of: url, app: decided.app)
    if trials.isEmpty { return [decided.decision.reason] }
    if decided.decision.rule != nil { return trials.suffix(1).map { "decided by \(words($0))" } }
    let shown = trials.prefix(shownRules).map { "not by \(words($0))" }
    let rest = trials.count - shown.count
    return shown + (rest > 0 ? ["nor by the other \(rest) rules"] : [])
  }

  /// Returns the position of a rule, followed by the result of its comparison with the URL, such as
  /// `site.json:12:9: path matched …`.
  private func words(_ trial: LinkTrial) -> String {
    "\(source.placeText(of: trial.rule.range)): \(trial.sentence)"
  }
}

private let shownRules = 10

extension LinkOutcome {
  /// Returns the outcome for a link in words, such as `opens A.b` or `is blocked for A.b`.
  package func words(for app: String?) -> String {
    let whom = app.map { " for \($0)" } ?? ""
    return switch self {
    case .opens: "opens \(app ?? "an app")"
    case .blocked: "is blocked" + whom
    case .browser: "stays in the browser" + whom
    }
  }
}

extension LinkDecision {
  /// The rank of the outcome. On a device with all apps of the file, the outcome with the lowest
  /// rank decides.
  fileprivate var strength: Int {
    switch outcome {
    case .opens: 0
    case .blocked: 1
    case .browser: 2
    }
  }
}

/// Checks a file of expectations against Apple's or Android's file. Returns a diagnostic for each
/// unmet expectation, at most `CaseLimits.diagnostics`.
///
/// - Parameter budget: The remaining budget for checking all expectations about the hosted file.
package func caseDiagnostics(
  _ cases: CaseFile, against file: some LinkFile, _ budget: inout Budget
) -> [Diagnostic] {
  var result: [Diagnostic] = []
  for expectation in cases.expectations(on: file.platform)
  where result.count < CaseLimits.diagnostics {
    do throws(UncheckedExpectation) {
      guard let failure = try file.failure(of: expectation, &budget) else { continue }
      result.append(
        Diagnostic(
          .expectationNotMet, failure.message, at: cases.source.location(of: expectation.urlRange),
          help:
            "correct \(file.platform.fileName), or correct this line if your expectation has "
            + "changed",
          note: failure.reasons.first))
    } catch {
      return switch error {
      case .patternsTooLarge: result + [patternsTooLargeForCases(file.source)]
      case .tooExpensive:
        result + [
          Diagnostic(
            .expectationsTooExpensive,
            "the expectations from this line on were not checked: there are too many "
              + "expectations for the rules of \(file.platform.fileName)",
            at: cases.source.location(of: expectation.urlRange))
        ]
      }
    }
  }
  return result
}

/// Returns the diagnostic for a file whose patterns are too large to compile. No expectation about
/// such a file can be checked.
package func patternsTooLargeForCases(_ source: SourceText) -> Diagnostic {
  Diagnostic(
    .patternsTooLargeForExpectations,
    "the patterns of the association file are too large to be compiled",
    at: .init(path: source.path))
}
