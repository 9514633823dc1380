internal import Diagnostics
internal import JSON
internal import Rules

let structureTypeRules: [AssociationRule] = [
  AssociationRule(
    "A012", .error, "service-not-object", .documented, in: .file,
    "the value of a service is not an object",
    "the service is broken for all apps",
    wrong: #"{ "webcredentials": ["K27TX9P4QD.org.swift.shop"] }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#
  ) { file, findings in
    for name in Association.serviceNames {
      let example =
        name == "applinks" ? #"{"details": []}"# : #"{"apps": ["K27TX9P4QD.org.swift.shop"]}"#
      findings.expect(
        file.association.source.lastMember(name)?.value, .object, name,
        help: "write `\"\(name)\": \(example)`")
    }
  },
  AssociationRule(
    "A015", .error, "details-wrong-type", .documented, in: .applinks,
    "`details` is neither an array nor an object",
    "universal links are broken for all apps",
    wrong: #""details": "K27TX9P4QD.org.swift.shop""#, right: exampleDetails
  ) { file, findings in
    let details = file.association.applinks?.details?.value
    if details?.kind == .object { return }
    findings.expect(
      details, .array, "details",
      help: #"write `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{}]}]`"#)
  },
  AssociationRule(
    "A017", .warning, "entry-not-object", .undocumented, in: .applinks,
    "an element of `details` is not an object",
    "devices ignore it",
    wrong: #""details": ["K27TX9P4QD.org.swift.shop"]"#, right: exampleDetails
  ) { file, findings in
    guard let details = file.association.applinks?.details?.value else { return }
    if details.kind == .object, KeyLevel.entry.known.contains(where: { details.member($0) != nil })
    {
      findings.report(
        details.head, "details is one entry and not an array of entries",
        help:
          #"put brackets around it: `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], …}]`"#)
      return
    }
    let entries = details.kind == .array ? Array(details.elements) : details.members.map(\.value)
    for entry in entries {
      findings.expect(
        entry, .object, "this entry of details",
        help: #"write `{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{"/": "/buy/*"}]}`"#
      )
    }
  },
  AssociationRule(
    "A029", .warning, "identifier-wrong-type", .verified, in: .entry, each: \.entries,
    "`appIDs` is not an array of strings, or `appID` is not a string",
    "devices ignore a value of another type",
    wrong: #"""
      "appIDs": "K27TX9P4QD.org.swift.shop",
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry
  ) { entry, _, findings in
    guard entry.identifierForm != .dictionaryKey else { return }
    let list = entry.source.lastMember("appIDs")?.value
    findings.expect(
      list, .array, "appIDs", help: #"write `"appIDs": ["K27TX9P4QD.org.swift.shop"]`"#)
    for element in list.map({ Array($0.elements) }) ?? [] {
      findings.expect(
        element, .string, "this app identifier", help: #"write `"K27TX9P4QD.org.swift.shop"`"#)
    }
    findings.expect(
      entry.source.lastMember("appID")?.value, .string, "appID",
      help: #"write `"appIDs": [ … ]` for several apps"#)
  },
]

let ruleTypeRules: [AssociationRule] = [
  AssociationRule(
    "A053", .warning, "rules-wrong-type", .undocumented, in: .entry, each: \.entries,
    "`components` or `paths` is not an array",
    "devices ignore a value of another type",
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": "/buy/*"
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": ["/buy/*"]
      """#
  ) { entry, _, findings in
    for (name, example) in [("components", #"[{"/": "/buy/*"}]"#), ("paths", #"["/buy/*"]"#)] {
      findings.expect(
        entry.source.lastMember(name)?.value, .array, "`\(name)`",
        help: "write `\"\(name)\": \(example)`")
    }
  },
  AssociationRule(
    "A054", .warning, "component-not-object", .undocumented, in: .components, each: \.entries,
    "an element of `components` is not an object",
    "devices may ignore it, or take it for a rule that matches every link",
    wrong: #""/buy/*""#, right: #"{ "/": "/buy/*" }"#
  ) { entry, _, findings in
    guard entry.ruleForm == .components else { return }
    for element in entry.source.lastMember("components")?.value.elements.map(\.self) ?? [] {
      findings.expect(
        element, .object, "this component",
        help: #"write `{"/": "/buy/*"}`; strings belong into `paths`"#)
    }
  },
  AssociationRule(
    "A055", .warning, "path-not-string", .undocumented, in: .paths, each: \.entries,
    "an element of `paths` is not a string",
    "devices may ignore it, or take it for a rule that matches every link",
    wrong: #"{ "/": "/buy/*" }"#, right: #""/buy/*""#
  ) { entry, _, findings in
    guard entry.ruleForm == .paths else { return }
    for element in entry.source.lastMember("paths")?.value.elements.map(\.self) ?? [] {
      findings.expect(
        element, .string, "this path",
        help: #"write `"/buy/*"`; objects belong into `components`"#)
    }
  },
  AssociationRule(
    "A058", .warning, "part-wrong-type", .undocumented, in: .components, each: \.ruleObjects,
    "a part of a component has a value of the wrong type",
    "devices ignore such a part, so the rule matches more than it says",
    wrong: #"{ "/": ["/buy/*", "/sell/*"] }"#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "/sell/*" }
      """#
  ) { object, _, findings in
    for key in ["/", "#", "?"] {
      guard let value = object.lastMember(key)?.value, key != "?" || value.kind != .object else {
        continue
      }
      findings.expect(value, .string, "the value of `\(key)`", help: partHelp(key, value))
    }
  },
  AssociationRule(
    "A059", .warning, "query-value-not-string", .verified, in: .components, each: \.ruleObjects,
    "a value in a query object is not a string",
    "one such value makes devices ignore the whole query object, so the rule matches more than it "
      + "says",
    wrong: #"{ "/": "/buy/*", "?": { "id": 12 } }"#,
    right: #"{ "/": "/buy/*", "?": { "id": "12" } }"#
  ) { object, file, findings in
    guard let query = object.lastMember("?")?.value, query.kind == .object else { return }
    for member in query.members {
      findings.expect(
        member.value, .string, "the value of the query item `\(member.key)`",
        help: queryValueHelp(member, file))
    }
  },
  AssociationRule(
    "A060", .warning, "flag-wrong-type", .undocumented, in: .components, each: \.ruleObjects,
    "`exclude`, `caseSensitive` or `percentEncoded` is not `true` or `false`",
    "devices may take the value for true, or ignore it",
    wrong: #"""
      { "/": "/buy/secret", "exclude": "true" },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/buy/secret", "exclude": true },
      { "/": "/buy/*" }
      """#
  ) { object, _, findings in
    for key in ["exclude", "caseSensitive", "percentEncoded"] {
      guard let value = object.lastMember(key)?.value else { continue }
      let isFalse = value.stringEquals("false") || value.number == 0
      findings.expect(
        value, .boolean, "the value of `\(key)`",
        help: "write `\"\(key)\": \(isFalse ? "false" : "true")`")
    }
  },
  AssociationRule(
    "A061", .warning, "defaults-wrong-type", .undocumented, in: .applinks,
    "`defaults` is not an object",
    "devices ignore a value of another type",
    wrong: exampleAppLinks(#""defaults": false"#),
    right: exampleAppLinks(#""defaults": { "caseSensitive": false }"#)
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
    "A069", .note, "comment-not-string", .verified, in: .components, each: \.ruleObjects,
    "a `comment` is not a string",
    "devices ignore comments, whatever they are",
    wrong: #"{ "/": "/buy/*", "comment": ["the shop"] }"#,
    right: #"{ "/": "/buy/*", "comment": "the shop" }"#
  ) { object, _, findings in
    findings.expect(
      object.lastMember("comment")?.value, .string, "the comment",
      help: "write it as a text in quotes")
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

let serviceTypeRules: [AssociationRule] = [
  AssociationRule(
    "A141", .error, "apps-wrong-type", .documented, in: .file, each: \.appLists,
    "`apps` of a service is not an array",
    "the service is broken for all apps",
    wrong: #"{ "webcredentials": { "apps": "K27TX9P4QD.org.swift.shop" } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#
  ) { service, _, findings in
    findings.expect(
      service.list.source.lastMember("apps")?.value, .array, "`apps` in \(service.name)",
      help: #"write `"apps": ["K27TX9P4QD.org.swift.shop"]`"#)
  },
  AssociationRule(
    "A147", .warning, "app-not-string", .documented, in: .file, each: \.appLists,
    "an element of `apps` is not a string",
    "devices expect app identifiers",
    wrong: #"{ "webcredentials": { "apps": [{ "appID": "K27TX9P4QD.org.swift.shop" }] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#
  ) { service, _, findings in
    for element in service.list.source.lastMember("apps")?.value.elements.map(\.self) ?? [] {
      findings.expect(element, .string, "this app", help: #"write `"K27TX9P4QD.org.swift.shop"`"#)
    }
  },
]

let variableTypeRules: [AssociationRule] = [
  AssociationRule(
    "A126", .warning, "variable-not-array", .documented, in: .applinks, each: \.variables,
    "the value of a variable is not an array",
    "the variable has no values, and patterns with it never match",
    wrong: exampleVariables(#""food": "sushi""#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#)
  ) { variable, _, findings in
    findings.expect(
      variable.source, .array, "the variable `\(variable.name.value)`",
      help: "write `\"\(variable.name.value)\": [\"sushi\", \"pizza\"]`")
  },
  AssociationRule(
    "A128", .warning, "variable-value-not-string", .documented, in: .applinks, each: \.variables,
    "a value of a variable is not a string",
    "devices expect strings",
    wrong: exampleVariables(#""food": ["sushi", 7]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#)
  ) { variable, _, findings in
    for element in variable.source.elements {
      findings.expect(element, .string, "this value", help: "write it in quotes")
    }
  },
  AssociationRule(
    "A133", .warning, "variables-wrong-type", .documented, in: .applinks,
    "`substitutionVariables` is not an object",
    "no variable is defined then",
    wrong: exampleAppLinks(#""substitutionVariables": ["food"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#)
  ) { file, findings in
    findings.expect(
      file.association.applinks?.source.lastMember("substitutionVariables")?.value, .object,
      "`substitutionVariables`",
      help: #"write `"substitutionVariables": {"food": ["sushi", "pizza"]}`"#)
  },
]
