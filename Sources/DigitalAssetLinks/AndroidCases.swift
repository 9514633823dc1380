package import Diagnostics
package import Rules

/// Runs expectations about Android's apps against the dynamic rules of one `assetlinks.json`.
package struct AndroidCaseRunner {
  private let source: SourceText
  private let apps: [LinkedApp]

  /// Nil if Android cannot read the file.
  package init?(_ file: AssetLinksFile) {
    guard let list = file.list else { return nil }
    source = file.source
    apps = list.linkedApps
  }

  /// Nil if the file meets the expectation. Hosts are not compared.
  package func failure(of expectation: Expectation) -> (message: String, reasons: [String])? {
    guard let url = try? AndroidURL(expectation.url) else { return nil }
    let named = expectation.app
    let known = apps.filter { named == nil || $0.packageName == named }
    if known.isEmpty {
      if expectation.outcome == .browser { return nil }
      return (
        message(expectation, .browser, named), ["\(source.path) names no such app for links"]
      )
    }
    for app in known {
      let outcome = app.outcome(url)
      if outcome.word != expectation.outcome {
        return (
          message(expectation, outcome.word, app.packageName), [app.reason(outcome, in: source)]
        )
      }
    }
    return nil
  }

  private func message(
    _ expectation: Expectation, _ found: LinkOutcome, _ app: String?
  ) -> String {
    let whom = app.map { " for \($0)" } ?? ""
    return "\(expectation.url) is \(found.rawValue)\(whom) on Android, expected "
      + expectation.outcome.rawValue
  }
}

/// Checks the expectations about Android's apps in a file of expectations against an
/// `assetlinks.json`.
package func androidCaseDiagnostics(
  _ cases: SourceText, against assetLinks: AssetLinksFile
) -> [Diagnostic] {
  let expectations = CaseFile(cases).androidExpectations
  guard !expectations.isEmpty, let runner = AndroidCaseRunner(assetLinks) else { return [] }
  var result: [Diagnostic] = []
  for expectation in expectations where result.count < CaseLimits.diagnostics {
    guard let failure = runner.failure(of: expectation) else { continue }
    result.append(
      Diagnostic(
        .expectationNotMet, failure.message, at: cases.location(of: expectation.urlRange),
        help: "correct assetlinks.json, or this line if it is no longer what you expect",
        note: failure.reasons.first))
  }
  return result
}
