internal import Diagnostics
internal import JSON
internal import Rules

let queryRules: [AssociationRule] = [
  AssociationRule(
    "A107", .warning, "hash-in-fragment",
    what: "a fragment pattern begins with `#`",
    consequence: "the fragment is what follows `#`, so this never matches",
    grade: .documented,
    wrong: ##"{ "#": "#offers" }"##,
    right: ##"{ "#": "offers" }"##,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.part == .fragment && use.text.hasPrefix("#") {
      findings.report(
        use.range(0..<1, in: file.source), "the fragment begins after the `#`",
        help: "write `\"#\": \"\(use.text.dropFirst())\"`")
    }
  },
  AssociationRule(
    "A108", .warning, "question-mark-in-query",
    what: "a query pattern begins with `?` and a name",
    consequence:
      "the query is what follows the question mark, and in a pattern `?` stands for one character",
    grade: .documented,
    wrong: #"{ "?": "?id=*" }"#,
    right: #"{ "?": { "id": "?*" } }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.part == .query && use.bytes.count > 1 {
      guard use.bytes[0] == UInt8(ascii: "?"), isASCIILetter(use.bytes[1]) else { continue }
      findings.report(
        use.range(0..<1, in: file.source), "the query begins after the `?`",
        help: #"write `"?": {"id": "?*"}`"#)
    }
  },
  AssociationRule(
    "A109", .warning, "query-item-name",
    what: "the name of a query item contains a wildcard or a separator",
    consequence: "names are compared as they are: no item has this one",
    grade: .undocumented,
    wrong: #"{ "?": { "id=": "*" } }"#,
    right: #"{ "?": { "id": "?*" } }"#,
    in: .components
  ) { file, findings in
    for object in file.ruleObjects {
      guard let query = object.lastMember("?"), query.value.kind == .object else { continue }
      for member in query.value.members {
        let name = member.key
        guard name.contains(where: { "*?=&#".contains($0) }) else { continue }
        findings.report(
          member.keyRange, "no query item has the name `\(name)`",
          help: #"write the name alone as the key: `"?": {"id": "*"}`"#)
      }
    }
  },
  AssociationRule(
    "A110", .note, "query-order",
    what: "a query pattern for the whole text names several items",
    consequence:
      "written as text the items must stand in this order and nothing else may stand between",
    grade: .verified,
    wrong: #"{ "?": "id=*&color=*" }"#,
    right: #"{ "?": { "id": "?*", "color": "?*" } }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.part == .query {
      let items = use.bytes.split(separator: UInt8(ascii: "&"))
      guard items.count(where: { $0.contains(UInt8(ascii: "=")) }) > 1 else { continue }
      findings.report(
        use.located.range, "this matches the items in this order only",
        help: #"write an object when the order does not matter: `"?": {"id": "*", "color": "*"}`"#)
    }
  },
  AssociationRule(
    "A112", .warning, "absent-item-blocks",
    what: "an exclusion asks for a query item, a query or a fragment with `*`",
    consequence:
      "what a URL does not have counts as empty, which `*` accepts: URLs without it are blocked too",
    grade: .verified,
    wrong: #"""
      { "/": "/buy/*", "?": { "web": "*" }, "exclude": true },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/buy/*", "?": { "web": "?*" }, "exclude": true },
      { "/": "/buy/*" }
      """#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.acceptsAbsence && use.isExclusion {
      findings.report(
        use.located.range, "this also blocks URLs without \(use.absentThing): `*` accepts that",
        help: "write `?*` to block only URLs that have it")
    }
  },
  AssociationRule(
    "A113", .note, "absent-item-opens",
    what: "a rule asks for a query item, a query or a fragment with `*`",
    consequence:
      "what a URL does not have counts as empty, which `*` accepts: URLs without it open the app too",
    grade: .verified,
    wrong: #"{ "/": "/search", "?": { "q": "*" } }"#,
    right: #"{ "/": "/search", "?": { "q": "?*" } }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.acceptsAbsence && !use.isExclusion {
      findings.report(
        use.located.range, "this also accepts URLs without \(use.absentThing)",
        help: "write `?*` to require it, or leave it out")
    }
  },
]
