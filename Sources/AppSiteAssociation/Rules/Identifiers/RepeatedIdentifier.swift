internal import Diagnostics

struct RepeatedIdentifier: ValidationRule {
  static let code = "A043"
  static let severity = Diagnostic.Severity.note
  static let name = "repeated-identifier"
  static let documentation = RuleDocumentation(
    what: "one list names an app twice",
    consequence: "the second has no effect",
    grade: .reasoned,
    wrong: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.shop""#,
    right: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.pay""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    let lists = file.entries.map(\.appIdentifiers) + file.appLists.map(\.list.apps)
    for list in lists {
      var seen: Set<String> = []
      for identifier in list where !seen.insert(identifier.value).inserted {
        findings.report(
          identifier.range, "this list names `\(identifier.value)` already", help: "remove it")
      }
    }
  }
}
