internal import Diagnostics
internal import JSON
internal import Rules

let serviceTypeRules: [AssociationRule] = [
  AssociationRule(
    "A141", .error, "apps-wrong-type",
    what: "`apps` of a service is not an array",
    consequence: "the service is broken for all apps",
    grade: .documented,
    wrong: #"{ "webcredentials": { "apps": "K27TX9P4QD.org.swift.shop" } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file
  ) { file, findings in
    for (name, list) in file.association.appLists {
      findings.expect(
        list.source.lastMember("apps")?.value, .array, "`apps` in \(name)",
        help: #"write `"apps": ["K27TX9P4QD.org.swift.shop"]`"#)
    }
  },
  AssociationRule(
    "A147", .warning, "app-not-string",
    what: "an element of `apps` is not a string",
    consequence: "devices expect app identifiers",
    grade: .documented,
    wrong: #"{ "webcredentials": { "apps": [{ "appID": "K27TX9P4QD.org.swift.shop" }] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file
  ) { file, findings in
    for (_, list) in file.association.appLists {
      for element in list.source.lastMember("apps")?.value.elements.map(\.self) ?? [] {
        findings.expect(
          element, .string, "this app", help: #"write `"K27TX9P4QD.org.swift.shop"`"#)
      }
    }
  },
]
