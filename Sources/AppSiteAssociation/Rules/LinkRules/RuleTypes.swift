internal import Diagnostics
internal import JSON
internal import Rules

let ruleTypeRules: [AssociationRule] = [
  AssociationRule(
    "A053", .warning, "rules-wrong-type",
    what: "`components` or `paths` is not an array",
    consequence: "devices ignore a value of another type",
    grade: .undocumented,
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": "/buy/*"
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": ["/buy/*"]
      """#,
    in: .entry
  ) { file, findings in
    for entry in file.entries {
      for (name, example) in [("components", #"[{"/": "/buy/*"}]"#), ("paths", #"["/buy/*"]"#)] {
        findings.expect(
          entry.source.lastMember(name)?.value, .array, "`\(name)`",
          help: "write `\"\(name)\": \(example)`")
      }
    }
  },
  AssociationRule(
    "A054", .warning, "component-not-object",
    what: "an element of `components` is not an object",
    consequence: "devices may ignore it, or take it for a rule that matches every link",
    grade: .undocumented,
    wrong: #""/buy/*""#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components
  ) { file, findings in
    for entry in file.entries where entry.ruleForm == .components {
      for element in entry.source.lastMember("components")?.value.elements.map(\.self) ?? [] {
        findings.expect(
          element, .object, "this component",
          help: #"write `{"/": "/buy/*"}`; strings belong into `paths`"#)
      }
    }
  },
  AssociationRule(
    "A055", .warning, "path-not-string",
    what: "an element of `paths` is not a string",
    consequence: "devices may ignore it, or take it for a rule that matches every link",
    grade: .undocumented,
    wrong: #"{ "/": "/buy/*" }"#,
    right: #""/buy/*""#,
    in: .paths
  ) { file, findings in
    for entry in file.entries where entry.ruleForm == .paths {
      for element in entry.source.lastMember("paths")?.value.elements.map(\.self) ?? [] {
        findings.expect(
          element, .string, "this path",
          help: #"write `"/buy/*"`; objects belong into `components`"#)
      }
    }
  },
  AssociationRule(
    "A058", .warning, "part-wrong-type",
    what: "a part of a component has a value of the wrong type",
    consequence: "devices ignore such a part, so the rule matches more than it says",
    grade: .undocumented,
    wrong: #"{ "/": ["/buy/*", "/sell/*"] }"#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "/sell/*" }
      """#,
    in: .components
  ) { file, findings in
    for object in file.ruleObjects {
      for key in ["/", "#", "?"] {
        guard let value = object.lastMember(key)?.value, key != "?" || value.kind != .object else {
          continue
        }
        findings.expect(
          value, .string, "the value of `\(key)`",
          help: partHelp(key, value))
      }
    }
  },
  AssociationRule(
    "A059", .warning, "query-value-not-string",
    what: "a value in a query object is not a string",
    consequence:
      "one such value makes devices ignore the whole query object, so the rule matches more than "
      + "it says",
    grade: .verified,
    wrong: #"{ "/": "/buy/*", "?": { "id": 12 } }"#,
    right: #"{ "/": "/buy/*", "?": { "id": "12" } }"#,
    in: .components
  ) { file, findings in
    for object in file.ruleObjects {
      guard let query = object.lastMember("?")?.value, query.kind == .object else { continue }
      for member in query.members {
        findings.expect(
          member.value, .string, "the value of the query item `\(member.key)`",
          help: queryValueHelp(member, file))
      }
    }
  },
  AssociationRule(
    "A060", .warning, "flag-wrong-type",
    what: "`exclude`, `caseSensitive` or `percentEncoded` is not `true` or `false`",
    consequence: "devices may take the value for true, or ignore it",
    grade: .undocumented,
    wrong: #"""
      { "/": "/buy/secret", "exclude": "true" },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/buy/secret", "exclude": true },
      { "/": "/buy/*" }
      """#,
    in: .components
  ) { file, findings in
    for object in file.ruleObjects {
      for key in ["exclude", "caseSensitive", "percentEncoded"] {
        guard let value = object.lastMember(key)?.value else { continue }
        let isFalse = value.stringEquals("false") || value.number == 0
        findings.expect(
          value, .boolean, "the value of `\(key)`",
          help: "write `\"\(key)\": \(isFalse ? "false" : "true")`")
      }
    }
  },
  AssociationRule(
    "A061", .warning, "defaults-wrong-type",
    what: "`defaults` is not an object",
    consequence: "devices ignore a value of another type",
    grade: .undocumented,
    wrong: exampleAppLinks(#""defaults": false"#),
    right: exampleAppLinks(#""defaults": { "caseSensitive": false }"#),
    in: .applinks
  ) { file, findings in
    for object in [file.association.applinks?.source].compactMap(\.self)
      + file.entries.map(\.source)
    {
      findings.expect(
        object.lastMember("defaults")?.value, .object, "`defaults`",
        help: #"write `"defaults": {"caseSensitive": false}`"#)
    }
  },
  AssociationRule(
    "A069", .note, "comment-not-string",
    what: "a `comment` is not a string",
    consequence: "devices ignore comments, whatever they are",
    grade: .verified,
    wrong: #"{ "/": "/buy/*", "comment": ["the shop"] }"#,
    right: #"{ "/": "/buy/*", "comment": "the shop" }"#,
    in: .components
  ) { file, findings in
    for object in file.ruleObjects {
      findings.expect(
        object.lastMember("comment")?.value, .string, "the comment",
        help: "write it as a text in quotes")
    }
  },
]

private func partHelp(_ key: String, _ value: Value) -> String {
  if value.kind == .array { return "write one component for each pattern" }
  if key == "/" { return #"write a pattern: `"/": "*"`"# }
  return "leave `\(key)` out if it does not matter, or write a pattern: "
    + (key == "?" ? #"`"?": {"id": "?*"}`"# : ##"`"#": "?*"`"##)
}

/// Returns help that avoids `"*"`, which would accept every URL without the item.
private func queryValueHelp(_ member: Member, _ file: FileUnderCheck) -> String {
  switch member.value.kind {
  case .number, .boolean:
    let text = String(decoding: file.source.bytes[member.value.range].prefix(40), as: UTF8.self)
    return "write it in quotes: `\"\(member.key)\": \"\(text)\"`"
  case .array: return "write one component for each value"
  default:
    return "leave the item out if it does not matter, or ask for a value: "
      + "`\"\(member.key)\": \"?*\"`"
  }
}
