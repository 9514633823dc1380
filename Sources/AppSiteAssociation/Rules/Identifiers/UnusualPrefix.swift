internal import Diagnostics

struct UnusualPrefix: ValidationRule {
  static let code = "A041"
  static let severity = Diagnostic.Severity.warning
  static let name = "unusual-prefix"
  static let documentation = RuleDocumentation(
    what: "the prefix of an app identifier is not ten letters and digits",
    consequence: "prefixes are ten characters, in most cases the Team ID: no app has another",
    grade: .documented,
    wrong: #""K27TX9P4.org.swift.shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .unusualPrefix {
      findings.report(
        use.located.range,
        "the prefix of `\(use.text)` has \(count(use.text)), not ten letters and digits",
        help: "compare it with the application-identifier in the app's entitlements")
    }
  }

  private static func count(_ text: String) -> String {
    let count = text.prefix { $0 != "." }.count
    return count == 1 ? "1 character" : "\(count) characters"
  }
}
