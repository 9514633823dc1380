internal import Diagnostics

struct UndefinedVariable: ValidationRule {
  static let code = "A120"
  static let severity = Diagnostic.Severity.warning
  static let name = "undefined-variable"
  static let documentation = RuleDocumentation(
    what: "a pattern uses a variable that is not defined",
    consequence: "a pattern with an undefined variable never matches",
    grade: .verified,
    wrong: #"{ "/": "/$(Lang)/*" }"#,
    right: #"{ "/": "/$(lang)/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    guard let applinks = file.association.applinks else { return }
    let predefined = PredefinedVariable.allCases.map(\.rawValue)
    for use in file.patterns {
      for part in use.syntax.variables {
        guard case .variable(let name) = part.token, !predefined.contains(name),
          applinks.variables[name] == nil
        else { continue }
        findings.report(
          use.range(of: part, in: file.source), "the variable `\(name)` is not defined",
          help: similar(name, applinks.variables, predefined).map { "did you mean `$(\($0))`?" }
            ?? "define it: `\"substitutionVariables\": {\"\(name)\": [\"sushi\", \"pizza\"]}`")
      }
    }
  }

  /// Comparing long names, or a great number of them, would be slow.
  private static func similar(
    _ name: String, _ variables: SubstitutionVariables, _ predefined: [String]
  ) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let names = variables.all.prefix(100).map(\.name.value).filter { $0.utf8.count <= 64 }
    return nearest(to: name, among: names + predefined)
  }
}
