internal import Diagnostics
internal import JSON

struct NoService: ValidationRule {
  static let code = "A010"
  static let severity = Diagnostic.Severity.warning
  static let name = "no-service"
  static let documentation = RuleDocumentation(
    what: "the file has none of the four keys that devices read",
    consequence: "unknown keys are ignored, so the file permits nothing",
    grade: .documented,
    wrong: #"{ "apps": [], "links": [] }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    let root = file.association.source
    guard !Association.serviceNames.contains(where: { root.member($0) != nil }),
      !file.keyed.contains(where: { $0.level == .top && $0.hasMisspeltKeys })
    else { return }
    findings.report(
      root.head,
      "the file names no service: applinks, webcredentials, appclips, activitycontinuation",
      help: #"write for example {"webcredentials": {"apps": ["K27TX9P4QD.org.swift.shop"]}}"#)
  }
}
