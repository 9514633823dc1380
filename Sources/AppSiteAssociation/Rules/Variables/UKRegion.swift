internal import Diagnostics

struct UKRegion: ValidationRule {
  static let code = "A132"
  static let severity = Diagnostic.Severity.note
  static let name = "uk-region"
  static let documentation = RuleDocumentation(
    what: "a file with `$(region)` speaks of UK in a remark or a variable",
    consequence:
      "`$(region)` stands for ISO codes: that of the United Kingdom is `GB`, and `UK` does not "
      + "match",
    grade: .verified,
    wrong: #"{ "/": "/$(region)_$(lang)/*", "comment": "US, UK and CA" }"#,
    right: #"{ "/": "/$(region)_$(lang)/*", "comment": "US, GB and CA" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    let variables = file.association.applinks?.variables.all ?? []
    let texts = file.remarks + variables.flatMap(\.values)
    guard texts.contains(where: { namesUK($0.value) }) else { return }
    for use in file.patterns {
      guard let part = use.syntax.parts.first(where: { $0.token == .variable("region") }) else {
        continue
      }
      findings.report(
        use.range(of: part, in: file.source), "`$(region)` does not match `UK`",
        help: "link with `GB`, or add a rule in which `UK` stands for itself")
    }
  }
  private static func namesUK(_ text: String) -> Bool {
    text.split(whereSeparator: { !$0.isLetter }).contains { $0 == "UK" || $0 == "uk" }
  }
}
