internal import Diagnostics
internal import Rules

/// Rules about keys that resemble keys that devices read.
let misspeltKeyRules: [AssociationRule] = [
  AssociationRule(
    "A011", .warning, "misspelt-service",
    what: "a key at the top is nearly the name of a service",
    consequence:
      "names of services are case-sensitive and unknown keys are ignored, so the service does "
      + "nothing",
    grade: .undocumented,
    wrong: #"{ "webCredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file,
    check: misspeltKeys(at: [.top])),
  AssociationRule(
    "A018", .warning, "misspelt-key-in-applinks",
    what: "a key of `applinks` is nearly one that devices read",
    consequence: "keys are case-sensitive and unknown ones are ignored",
    grade: .undocumented,
    wrong: #"""
      "detail": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    right: exampleDetails,
    in: .applinks,
    check: misspeltKeys(at: [.applinks])),
  AssociationRule(
    "A019", .warning, "misspelt-key-in-entry",
    what: "a key of an entry of `details` is nearly one that devices read",
    consequence: "keys are case-sensitive and unknown ones are ignored",
    grade: .undocumented,
    wrong: #"""
      "appIds": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry,
    in: .entry,
    check: misspeltKeys(at: [.entry])),
  AssociationRule(
    "A020", .warning, "misspelt-key-in-component",
    what: "a key of a component or of `defaults` is nearly one that devices read",
    consequence: "unknown keys are ignored, so the rule matches more than it says",
    grade: .verified,
    wrong: #"{ "/": "/buy/*", "casesensitive": false }"#,
    right: #"{ "/": "/buy/*", "caseSensitive": false }"#,
    in: .components,
    check: misspeltKeys(at: [.component, .defaults])),
  AssociationRule(
    "A146", .warning, "misspelt-key-in-service",
    what: "a key of a service is nearly `apps`",
    consequence: "keys are case-sensitive and unknown ones are ignored",
    grade: .documented,
    wrong: #"{ "webcredentials": { "Apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file,
    check: misspeltKeys(at: [.service])),
]

private func misspeltKeys(
  at levels: [KeyLevel]
) -> @Sendable (FileUnderCheck, inout Findings) -> Void {
  { file, findings in
    for object in file.keyed where levels.contains(object.level) {
      for key in object.strangeKeys {
        guard case .misspelt(let right) = key.fault else { continue }
        findings.report(
          key.range, "the key `\(key.key)` has no meaning \(object.level.words)",
          help: "did you mean `\(right)`?")
      }
    }
  }
}
