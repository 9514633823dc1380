internal import Diagnostics

struct AppStoreNumber: ValidationRule {
  static let code = "A038"
  static let severity = Diagnostic.Severity.warning
  static let name = "app-store-number"
  static let documentation = RuleDocumentation(
    what: "the prefix of an app identifier is a number, as App Store IDs are",
    consequence:
      "the prefix is usually a Team ID of ten letters and digits; an App Store ID is none",
    grade: .observed,
    wrong: #""6448924682.org.swift.shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .appStoreNumber {
      findings.report(
        use.located.range, "the prefix of `\(use.text)` looks like an App Store ID",
        help: "write the Team ID, for example `K27TX9P4QD.org.swift.shop`")
    }
  }
}
