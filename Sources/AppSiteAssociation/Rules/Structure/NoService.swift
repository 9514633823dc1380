internal import Diagnostics
internal import JSON

struct NoService: ValidationRule {
  let documentation = RuleDocumentation(
    "A010", .error, "no-service",
    what: "the file has none of the four keys that devices read",
    consequence: "unknown keys are ignored, so the file permits nothing",
    grade: .documented,
    wrong: #"{ "apps": [], "links": [] }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  func check(_ file: FileUnderCheck, into findings: inout Findings) {
    guard Self.holds(for: file) else { return }
    findings.report(
      file.association.source.head,
      "the file names no service: applinks, webcredentials, appclips, activitycontinuation",
      help: #"write for example {"webcredentials": {"apps": ["K27TX9P4QD.org.swift.shop"]}}"#)
  }

  /// Whether no key, not even a misspelt one, is that of a service.
  static func holds(for file: FileUnderCheck) -> Bool {
    !Association.serviceNames.contains { file.association.source.member($0) != nil }
      && !file.keyed.contains { $0.level == .top && $0.hasMisspeltKeys }
  }
}
