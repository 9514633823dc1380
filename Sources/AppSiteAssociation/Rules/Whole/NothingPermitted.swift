package import Diagnostics
internal import JSON
internal import Rules

extension Kind {
  /// The kind of diagnostic about a file that permits nothing.
  package static let nothingPermitted = nothingPermittedRules[0].kind
}

let nothingPermittedRules: [AssociationRule] = [
  AssociationRule(
    "A160", .error, "nothing-permitted", .reasoned, effect: .allDevices, in: .file,
    "this file lets no app open a link, offer a password or run as an App Clip",
    "devices read the file, but for every app the effect is the same as without a file",
    wrong: #"{ "applinks": { "details": [] } }"#, right: exampleFile()
  ) { file, findings in
    if findings.hasErrors || isReportedOtherwise(file) || permitsSomething(file) { return }
    let nothing = "this file lets no app open a link, offer a password or run as an App Clip"
    let reason = impossibleApp(file).map { ": no app has the identifier `\($0)`" }
    // Use the help of the finding that explains why nothing is permitted.
    if let cause = causes(file).compactMap({ findings.first(of: $0) }).first,
      let range = cause.range
    {
      let line = file.line(of: range)
      findings.report(
        range, nothing + (reason ?? ", because of \(cause.kind.code) in line \(line)"), help: nil)
    } else {
      findings.report(file.association.source.head, nothing + (reason ?? ""), help: help(file))
    }
  }
]

/// Returns the kinds of warnings that can explain why nothing is permitted. The kinds are grouped
/// by what the file lacks: any app, an app that can exist, or a link that opens an app. Only the
/// first group with a finding is used.
private func causes(_ file: FileUnderCheck) -> [Set<Kind>] {
  if file.identifiers.isEmpty { return [causesWithoutApp] }
  return file.identifiers.contains(where: \.canBeAnApp)
    ? [causesWithoutLink, mistakesInPatterns] : [causesWithoutRealApp]
}

private let causesWithoutApp = warnings(
  misspeltKeyRules, structureTypeRules, strangeKeyRules, detailsRules, appKeyRules, namedAppRules,
  appListRules, serviceTypeRules)
private let causesWithoutRealApp = warnings(identifierRules)
private let causesWithoutLink = warnings(
  variableNameRules, variableTypeRules, variableValueRules, exclusionRules, queryRules,
  neverMatchingRules, appsAndLinksRules, ruleListRules)
private let mistakesInPatterns = warnings(
  otherPartInPathRules, otherSyntaxRules, percentEncodingRules, pathEndRules, ruleTypeRules)

private func warnings(_ rules: [AssociationRule]...) -> Set<Kind> {
  Set(rules.flatMap(\.self).map(\.kind).filter { $0.severity == .warning })
}

/// Returns the first identifier if no app can have any identifier of the file; otherwise nil.
private func impossibleApp(_ file: FileUnderCheck) -> String? {
  file.identifiers.contains(where: \.canBeAnApp) ? nil : file.identifiers.first?.text
}

/// Returns help for the most likely reason why the file permits nothing.
private func help(_ file: FileUnderCheck) -> String {
  if file.identifiers.isEmpty {
    return "list an app: \(exampleServices)"
  }
  if let text = impossibleApp(file) {
    return "write the app identifier as in the app's entitlements: "
      + "`\(IdentifierUse.cure(of: text, in: file))`"
  }
  let rules = file.entries.flatMap(\.rules)
  if let blocking = rules.first(where: { $0.isExclusion && $0.acceptsAbsence }) {
    return absenceHelp(line: file.line(of: blocking.source.range))
  }
  let isBlocked = rules.contains(where: \.isExclusion)
  return "add a rule that opens the app\(isBlocked ? " before the rules that block links" : ""): "
    + #"{"/": "/buy/*"}"#
}

/// Returns whether another rule is responsible for the same fault. The result does not depend on
/// whether this other rule is ignored.
private func isReportedOtherwise(_ file: FileUnderCheck) -> Bool {
  isGeneratedEmptyFile(file.association) || namesNoService(file)
}

/// Returns whether the file may permit something to an app. Also true if Apple does not document
/// what devices do with the file.
private func permitsSomething(_ file: FileUnderCheck) -> Bool {
  let isListed = file.identifiers.contains { $0.service != "applinks" && $0.canBeAnApp }
  if isListed || file.association.hasUnknownService { return true }
  guard let applinks = file.association.applinks else { return false }
  if applinks.detailsForm == .none, applinks.apps?.value.elements.isEmpty == false { return true }
  return zip(applinks.entries, file.reach.entries).contains { entry, reaches in
    guard entry.appIdentifiers.contains(where: { IdentifierUse.canBeAnApp($0.value) }) else {
      return false
    }
    return mayOpen(entry, reaches, applinks.variables)
  }
}

private func mayOpen(
  _ entry: DetailsEntry, _ reaches: [RuleReach], _ variables: SubstitutionVariables
) -> Bool {
  // An entry without rules, or with elements that are not rules, may open every link.
  guard let list = entry.ruleList?.value, Array(list.elements).count == entry.rules.count else {
    return true
  }
  return zip(entry.rules, reaches).contains { rule, reach in
    !rule.isExclusion
      && (!reach.decidesNothing || reach == .matchesNothing && isUndocumented(rule, variables))
  }
}

/// Whether Apple does not document how devices read a pattern of the rule. This is the case for a
/// pattern with a backslash, or with a variable whose value is not an array.
private func isUndocumented(_ rule: Rule, _ variables: SubstitutionVariables) -> Bool {
  rule.effective.patterns.contains { part in
    let text = part.pattern.value
    return text.contains("\\")
      || PatternSyntax(text).variables.contains { part in
        guard case .variable(let name) = part.token else { return false }
        return variables[name].map { $0.source.kind != .array } ?? false
      }
  }
}
