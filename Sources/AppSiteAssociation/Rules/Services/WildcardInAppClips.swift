internal import Diagnostics

struct WildcardInAppClips: ValidationRule {
  static let code = "A143"
  static let severity = Diagnostic.Severity.warning
  static let name = "wildcard-in-app-clips"
  static let documentation = RuleDocumentation(
    what: "`appclips` holds something that begins with `*.`",
    consequence: "App Clips have no wildcards, neither in apps nor in domains",
    grade: .documented,
    wrong: #"{ "appclips": { "apps": ["*.example.com"] } }"#,
    right: #"{ "appclips": { "apps": ["K27TX9P4QD.org.swift.shop.Clip"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.service == "appclips" && use.text.hasPrefix("*.") {
      findings.report(
        use.located.range, "wildcards are not allowed for App Clips",
        help:
          "name the App Clip: `K27TX9P4QD.org.swift.shop.Clip`, and each host in its entitlement")
    }
  }
}
