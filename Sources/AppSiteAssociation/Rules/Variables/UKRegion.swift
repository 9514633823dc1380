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
    var isUKNamed: Bool?
    for use in file.patterns {
      guard let part = use.syntax.variable("region") else { continue }
      let isNamed = isUKNamed ?? namesUK(file)
      isUKNamed = isNamed
      guard isNamed else { return }
      findings.report(
        use.range(of: part, in: file.source), "`$(region)` does not match `UK`",
        help: "link with `GB`, or add a rule in which `UK` stands for itself")
    }
  }

  private static func namesUK(_ file: FileUnderCheck) -> Bool {
    let variables = file.association.applinks?.variables.all ?? []
    return file.remarks.contains { namesUK($0.value) }
      || variables.contains { $0.values.contains { namesUK($0.value) } }
  }

  private static let signs = PhraseSearch(["UK"])

  private static func namesUK(_ text: String) -> Bool {
    guard signs.mayOccur(in: text) else { return false }
    return text.split(whereSeparator: { !$0.isLetter }).contains { $0 == "UK" || $0 == "uk" }
  }
}
