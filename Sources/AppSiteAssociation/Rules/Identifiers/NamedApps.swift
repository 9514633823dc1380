internal import Diagnostics
internal import JSON
internal import Rules

let namedAppRules: [AssociationRule] = [
  AssociationRule(
    "A048", .note, "clip-in-app-links",
    what: "`applinks` names an App Clip",
    consequence: "links open an App Clip through `appclips`; `applinks` is for apps",
    grade: .documented,
    wrong: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.shop.Clip""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier
  ) { file, findings in
    for use in file.identifiers where use.service == "applinks" {
      guard use.text.lowercased().hasSuffix(".clip") else { continue }
      findings.report(
        use.located.range, "`\(use.text)` is the identifier of an App Clip",
        help: #"write `"appclips": {"apps": ["\#(use.text)"]}` at the top of the file"#)
    }
  },
  AssociationRule(
    "A030", .warning, "entry-without-app",
    what: "an entry of `details` names no app",
    consequence:
      "an empty `appIDs` counts even beside an `appID`, and without an app the rules apply to "
      + "nothing",
    grade: .verified,
    wrong: #"""
      "appIDs": [],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry,
    in: .entry
  ) { file, findings in
    for entry in file.entries where entry.appIdentifiers.isEmpty {
      let hasOtherFault =
        file.hasMisspeltKey("appIDs", in: entry.source)
        || file.hasMisspeltKey("appID", in: entry.source)
        || entry.identifierForm == .none
          && (entry.source.member("appIDs") != nil || entry.source.member("appID") != nil)
      if hasOtherFault { continue }
      let range =
        entry.source.lastMember("appIDs").flatMap { $0.value.kind == .array ? $0.keyRange : nil }
      findings.report(
        range ?? entry.source.head, "this entry names no app",
        help: #"write `"appIDs": ["K27TX9P4QD.org.swift.shop"]` into it"#)
    }
  },
]
