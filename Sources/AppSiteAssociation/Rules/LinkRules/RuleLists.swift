internal import Diagnostics
internal import JSON
internal import Rules

let ruleListRules: [AssociationRule] = [
  AssociationRule(
    "A050", .warning, "entry-without-rules",
    what: "an entry of `details` has neither `components` nor `paths`",
    consequence: "the app may open every link, or none",
    grade: .undocumented,
    wrong: #""appIDs": ["K27TX9P4QD.org.swift.shop"]"#,
    right: exampleEntry,
    in: .entry
  ) { file, findings in
    for entry in file.entries where entry.ruleForm == .none {
      if entry.source.lastMember("components") != nil || entry.source.lastMember("paths") != nil {
        continue
      }
      findings.report(
        entry.source.head, "this entry has neither `components` nor `paths`",
        help: #"write `"components": [{"/": "/buy/*"}]`, or `[{}]` for every link"#)
    }
  },
  AssociationRule(
    "A051", .warning, "empty-rule-list",
    what: "a list of rules is empty",
    consequence: "an empty list never matches, so no link opens the app",
    grade: .verified,
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": []
      """#,
    right: exampleEntry,
    in: .entry
  ) { file, findings in
    for entry in file.entries where entry.ruleForm != .none {
      let name = entry.ruleForm == .components ? "components" : "paths"
      guard let list = entry.source.lastMember(name)?.value, list.elements.isEmpty else { continue }
      findings.report(
        list.range, "`\(name)` is empty, so no link opens the app",
        help: name == "paths"
          ? #"write `"paths": ["/buy/*"]`, or `["*"]` for every link"#
          : #"write `"components": [{"/": "/buy/*"}]`, or `[{}]` for every link"#)
    }
  },
  AssociationRule(
    "A052", .note, "both-components-and-paths",
    what: "an entry has both `components` and `paths`",
    consequence: "`components` wins since iOS 13; only older systems read `paths`",
    grade: .documented,
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": ["/buy/*"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry,
    in: .entry
  ) { file, findings in
    for entry in file.entries where entry.ruleForm == .components {
      guard let paths = entry.source.lastMember("paths") else { continue }
      findings.report(
        paths.keyRange, "`paths` is ignored, because the entry has `components`",
        help: "remove paths unless systems before iOS 13 are to be served")
    }
  },
]
