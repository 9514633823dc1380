internal import Diagnostics
internal import JSON
internal import Rules

let appKeyRules: [AssociationRule] = [
  AssociationRule(
    "A024", .warning, "apps-not-empty",
    what: "`applinks.apps` names apps or is not an array",
    consequence:
      "Apple does not say whether apps named in `apps` may open links without `details`; apps are "
      + "named in `details`, and while Apple still asked for `apps`, it was to be an empty array",
    grade: .documented,
    wrong: exampleAppLinks(#""apps": ["K27TX9P4QD.org.swift.shop"]"#),
    right: exampleAppLinks(#""apps": []"#),
    in: .applinks
  ) { file, findings in
    guard let apps = file.association.applinks?.apps else { return }
    if apps.value.kind == .array, apps.value.elements.isEmpty { return }
    findings.report(
      apps.value.kind == .array ? apps.keyRange : apps.value.head,
      "`apps` in applinks is not an empty array",
      help: #"write `"apps": []` or leave it out, and name apps in details"#)
  },
  AssociationRule(
    "A027", .warning, "unused-app-id",
    what: "an entry has `appIDs` and an `appID` that is not among them",
    consequence: "when `appIDs` is an array, even an empty one, `appID` is ignored",
    grade: .verified,
    wrong: #"""
      "appID": "K27TX9P4QD.org.swift.pay",
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.pay", "K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    in: .entry
  ) { file, findings in
    for entry in file.entries where entry.identifierForm == .appIDs {
      guard let member = entry.source.lastMember("appID"), let text = member.value.string,
        !entry.appIdentifiers.contains(where: { $0.value == text })
      else { continue }
      findings.report(
        member.value.range, "this app is not among the `appIDs`, so the entry is not for it",
        help: "add it to appIDs and remove appID")
    }
  },
  AssociationRule(
    "A028", .note, "both-app-id-and-app-ids",
    what: "an entry has `appIDs` and an `appID` that is one of them",
    consequence: "`appIDs` counts since iOS 13; only older systems read `appID`",
    grade: .verified,
    wrong: #"""
      "appID": "K27TX9P4QD.org.swift.shop",
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry,
    in: .entry
  ) { file, findings in
    for entry in file.entries where entry.identifierForm == .appIDs {
      guard let member = entry.source.lastMember("appID"), let text = member.value.string,
        entry.appIdentifiers.contains(where: { $0.value == text })
      else { continue }
      findings.report(
        member.keyRange, "the entry has both `appID` and `appIDs`",
        help: "remove appID unless systems before iOS 13 are to be served")
    }
  },
]
