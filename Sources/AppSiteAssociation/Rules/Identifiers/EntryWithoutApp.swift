internal import Diagnostics
internal import JSON

struct EntryWithoutApp: ValidationRule {
  let documentation = RuleDocumentation(
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
    in: .entry)

  func check(_ file: FileUnderCheck, into findings: inout Findings) {
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
  }
}
