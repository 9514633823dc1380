internal import Diagnostics
internal import JSON
internal import Rules

let appListRules: [AssociationRule] = [
  AssociationRule(
    "A140", .warning, "apps-missing",
    what: "a service that lists apps has no `apps`",
    consequence: "without `apps` no app gets the service",
    grade: .documented,
    wrong: #"{ "webcredentials": {} }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file
  ) { file, findings in
    for (name, list) in file.association.appLists where list.source.member("apps") == nil {
      if file.hasMisspeltKey("apps", in: list.source) || list.source.member("details") != nil {
        continue
      }
      findings.report(
        list.keyRange, "\(name) has no `apps`",
        help: #"write `"apps": ["K27TX9P4QD.org.swift.shop"]` into it"#)
    }
  },
  AssociationRule(
    "A142", .note, "apps-empty",
    what: "`apps` of a service is empty",
    consequence: "no app gets the service",
    grade: .documented,
    wrong: #"{ "webcredentials": { "apps": [] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file
  ) { file, findings in
    if isGeneratedEmptyFile(file.association) { return }
    for (name, list) in file.association.appLists {
      guard let value = list.source.lastMember("apps")?.value, value.kind == .array,
        value.elements.isEmpty
      else { continue }
      findings.report(
        value.range, "\(name) is for no app", help: "add an app, or leave \(name) out")
    }
  },
  AssociationRule(
    "A144", .warning, "details-in-app-list",
    what: "a service that lists apps has the shape of `applinks`",
    consequence: "these services only read `apps`, an array of app identifiers",
    grade: .documented,
    wrong: #"{ "webcredentials": { "details": [{ "appIDs": ["K27TX9P4QD.org.swift.shop"] }] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file
  ) { file, findings in
    for (name, list) in file.association.appLists {
      guard let member = list.source.lastMember("details") else { continue }
      findings.report(
        member.keyRange, "\(name) has no `details`",
        help: #"write `"apps": ["K27TX9P4QD.org.swift.shop"]`"#)
    }
  },
]
