internal import AppSiteAssociation
internal import Diagnostics
internal import JSON
internal import Rules

/// A file through all rules: its diagnostics can be shown and explained; the file does not differ
/// from itself, with or without white space and comments; the example for a rule is decided by that
/// rule.
@Sendable func fuzzRules(_ bytes: [UInt8]) {
  let source = SourceText(path: "fuzz", bytes: bytes)
  let report = validate(source)
  precondition(report.isReadable || !report.diagnostics.isEmpty)
  for diagnostic in report.diagnostics { check(diagnostic, bytes.count) }
  let text = TerminalRenderer().render(
    SubjectReport(
      path: source.path, source: report.text ?? source, diagnostics: report.diagnostics,
      omitted: report.omitted))
  precondition(report.diagnostics.isEmpty || !text.isEmpty)

  let file = AssociationFile(source)
  guard file.form == .json, let document = file.document else { return }
  let association = Association(document.root)
  precondition(differences(old: association, new: association).isEmpty)
  check(Conversion(stripsComments: true), document)
  guard bytes.count <= 1_024, let matcher = try? Matcher(association) else { return }
  for form in Conversion.Form.allCases { check(Conversion(form: form), document) }
  checkReach(association, matcher)
}

private func check(_ diagnostic: Diagnostic, _ count: Int) {
  precondition(!diagnostic.line.isEmpty)
  precondition(
    diagnostic.code.hasPrefix("J") || associationKinds.first { $0.code == diagnostic.code } != nil)
  if let range = diagnostic.location?.place?.range {
    precondition(0 <= range.lowerBound && range.upperBound <= count + 1)
  }
}

private func check(_ conversion: Conversion, _ document: Document) {
  do throws(ConversionFault) {
    let tree = try conversion.convert(document)
    for bytes in [tree.minified, tree.indented] {
      guard let again = try? Document(parsing: SourceText(path: "fuzz", bytes: bytes)) else {
        preconditionFailure("the written text can be parsed")
      }
      precondition(JSONTree(again.root).minified == tree.minified)
    }
  } catch {
    switch error {
    // Paths cannot express everything, and the proof finds what they cannot. A failure for another
    // form would be our mistake.
    case .differs: precondition(conversion.form == .paths, error.message)
    case .noObject: preconditionFailure(error.message)
    case .notExpressible, .unproven: break
    }
  }
}

private func checkReach(_ association: Association, _ matcher: Matcher) {
  guard let applinks = association.applinks else { return }
  var budget = Budget(operations: 200_000)
  for (number, entry) in applinks.entries.enumerated() {
    guard
      let app = matcher.appIdentifiers.indices.first(where: {
        matcher.entryIndex(ofApp: $0) == number
      })
    else { continue }
    var compiling = ReachabilityLimits.compiling
    let reachability = EntryReachability(entry.rules, applinks.variables, compiling: &compiling)
    for rule in entry.rules.indices {
      let reach = reachability.reach(of: rule, budget: &budget)
      guard let example = example(of: reach) else { continue }
      let url = Array(example.reference.utf8)
      guard let texts = try? matcher.texts(of: url.span, domain: nil) else {
        fatalError("an example is a URL")
      }
      let decision = matcher.decide(texts, appAt: app)
      precondition(isConsistent(reach, rule, decided: decidingRule(decision)))
    }
  }
}

private func example(of reach: RuleReach) -> ExampleURL? {
  switch reach {
  case .decides(let example), .isCovered(_, let example): example
  case .matchesNothing, .unknown: nil
  }
}

private func decidingRule(_ decision: RuleDecision) -> Int? {
  switch decision {
  case .match(let reference), .exclude(let reference): reference.rule
  case .noMatch: nil
  }
}

private func isConsistent(_ reach: RuleReach, _ rule: Int, decided: Int?) -> Bool {
  switch reach {
  case .decides: decided == rule
  case .isCovered(let by, _): !by.isEmpty && by.allSatisfy { $0 < rule } && (decided ?? rule) < rule
  case .matchesNothing, .unknown: true
  }
}
