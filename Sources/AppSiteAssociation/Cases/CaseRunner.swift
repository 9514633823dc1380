package import Diagnostics
package import JSON
package import Rules

/// An expectation that a file does not meet.
package struct CaseFailure: Sendable {
  package let expectation: Expectation
  /// The app with the wrong decision; nil for all apps.
  package let app: String?
  package let found: LinkOutcome
  /// The reasons, for people: the deciding rule, or each rule and where it stopped matching.
  package let reasons: [String]

  /// One lower-case sentence without a full stop.
  package var message: String {
    let expected = expectation.outcome.rawValue
    let whom = app.map { " for \($0)" } ?? ""
    return "\(expectation.url) is \(found.rawValue)\(whom), expected \(expected)"
  }
}

/// Runs expectations against one association file.
package struct CaseRunner {
  private let source: SourceText
  private let association: Association
  private let matcher: Matcher
  private var context = MatchContext()

  package init(_ document: Document) throws(PatternsTooLarge) {
    source = document.source
    association = Association(document.root)
    matcher = try Matcher(association)
  }

  /// Whether the file meets the expectation. Without a domain the URL's host is ignored.
  ///
  /// `blocked` without an app: a rule blocks the URL for an app, and it opens no app. `browser`
  /// without an app: no rule of any app matches.
  package mutating func failure(
    of expectation: Expectation, domain: Domain?
  ) throws(PatternsTooLarge) -> CaseFailure? {
    let url = Array(expectation.url.utf8)
    let apps = expectation.app.map { [$0] } ?? matcher.appIdentifiers
    var outcomes: [(app: String, outcome: LinkOutcome)] = []
    for app in apps {
      let decision = matcher.decide(url.span, app: app, domain: domain, in: &context)
      outcomes.append((app, LinkOutcome(decision)))
    }
    let overall: LinkOutcome =
      outcomes.contains { $0.outcome == .opens }
      ? .opens : outcomes.contains { $0.outcome == .blocked } ? .blocked : .browser
    if overall == expectation.outcome { return nil }
    let app = outcomes.first { $0.outcome == overall }?.app
    return CaseFailure(
      expectation: expectation, app: overall == .browser ? expectation.app : app, found: overall,
      reasons: try reasons(url, app ?? expectation.app, domain))
  }

  private func reasons(
    _ url: [UInt8], _ app: String?, _ domain: Domain?
  ) throws(PatternsTooLarge) -> [String] {
    guard let app else { return ["the file names no app for links"] }
    var explainer = Explainer(association, matcher)
    let explanation = try explainer.explain(url.span, app: app, domain: domain)
    switch explanation.decision {
    case .noMatch(.otherHost): return ["the URL's host is not the one the file is served for"]
    case .noMatch(.unknownApp): return ["the file does not name this app for links"]
    case .noMatch(.fault(let fault)): return [fault.message]
    case .noMatch(.noRule) where explanation.trials.isEmpty:
      return ["the file has no rules for this app; Apple does not say what devices do then"]
    case .match, .exclude:
      return explanation.trials.suffix(1).map { "decided by \(words($0))" }
    case .noMatch:
      let shown = explanation.trials.prefix(Self.shownRules).map { "not by \(words($0))" }
      let rest = explanation.trials.count - shown.count
      return shown + (rest > 0 ? ["nor by the other \(rest) rules"] : [])
    }
  }

  private static let shownRules = 10

  /// `site.json:12:9: path matched …`
  private func words(_ trial: RuleTrial) -> String {
    guard let applinks = association.applinks else { return trial.sentence }
    let rule = applinks.entries[trial.reference.entry].rules[trial.reference.rule]
    let place = source.place(of: rule.source.range)
    return "\(source.path):\(place.line):\(place.column): \(trial.sentence)"
  }
}

/// Checks a file of expectations against an association file. Returns a diagnostic for each line
/// that fails or cannot be understood, at most `CaseLimits.diagnostics`.
package func caseDiagnostics(
  _ cases: SourceText, against association: Document, domain: Domain?
) -> [Diagnostic] {
  let file = CaseFile(cases)
  var result = file.diagnostics
  do throws(PatternsTooLarge) {
    var runner = try CaseRunner(association)
    for expectation in file.expectations where result.count < CaseLimits.diagnostics {
      guard let failure = try runner.failure(of: expectation, domain: domain) else { continue }
      result.append(
        Diagnostic(
          .expectationNotMet, failure.message,
          at: cases.location(of: expectation.urlRange),
          help: "correct the association file, or this line if it is no longer what you expect",
          note: failure.reasons.first))
    }
  } catch {
    result.append(
      Diagnostic(
        .patternsTooLargeForExpectations,
        "the patterns of the association file are too large to be compiled",
        at: .init(path: association.source.path)))
  }
  return result
}
