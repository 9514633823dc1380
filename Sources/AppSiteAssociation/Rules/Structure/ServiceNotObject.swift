internal import Diagnostics
internal import JSON

struct ServiceNotObject: ValidationRule {
  static let code = "A012"
  static let severity = Diagnostic.Severity.error
  static let name = "service-not-object"
  static let documentation = RuleDocumentation(
    what: "the value of a service is not an object",
    consequence: "the service is broken for all apps",
    grade: .documented,
    wrong: #"{ "webcredentials": ["K27TX9P4QD.org.swift.shop"] }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for name in Association.serviceNames {
      guard let member = file.association.source.lastMember(name), member.value.kind != .object
      else { continue }
      let example =
        name == "applinks" ? #"{"details": []}"# : #"{"apps": ["K27TX9P4QD.org.swift.shop"]}"#
      findings.report(
        member.value.head, "\(name) is \(member.value.kindWords) and not an object",
        help: "write `\"\(name)\": \(example)`")
    }
  }
}
