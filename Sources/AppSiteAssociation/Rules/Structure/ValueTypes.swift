internal import Bytes
internal import Diagnostics
internal import JSON
internal import Rules

let structureTypeRules: [AssociationRule] = [
  AssociationRule(
    "A012", .error, "service-not-object", .documented, in: .file,
    "the value of a service is not an object",
    "the service is broken for all apps",
    wrong: #"{ "webcredentials": ["K27TX9P4QD.org.swift.shop"] }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    check: wrongTypes("A012")),
  AssociationRule(
    "A015", .error, "details-wrong-type", .documented, in: .applinks,
    "`details` is neither an array nor an object",
    "universal links are broken for all apps",
    wrong: #""details": "K27TX9P4QD.org.swift.shop""#, right: exampleDetails,
    check: wrongTypes("A015")),
  AssociationRule(
    "A017", .warning, "entry-not-object", .undocumented, in: .applinks,
    "an element of `details` is not an object",
    "devices ignore it",
    wrong: #""details": ["K27TX9P4QD.org.swift.shop"]"#, right: exampleDetails
  ) { file, findings in
    guard let details = file.association.applinks?.details?.value else { return }
    if KeyLevel.entry.known.contains(where: { details.member($0) != nil }) {
      findings.report(
        details.head, "details is one entry and not an array of entries",
        help:
          #"put brackets around the entry: `"details": [{"appIDs": "#
          + #"["K27TX9P4QD.org.swift.shop"], …}]`"#)
    } else {
      findings.expect("A017", AppleKey.details.types, details, "", file)
    }
  },
  AssociationRule(
    "A029", .warning, "identifier-wrong-type", .verified, in: .entry, each: \.entries,
    "`appIDs` is not an array of strings, or `appID` is not a string",
    "devices ignore a value of the wrong type",
    wrong: #"""
      "appIDs": "K27TX9P4QD.org.swift.shop",
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry
  ) { entry, file, findings in
    guard entry.identifierForm != .dictionaryKey else { return }
    for key in [AppleKey.appIDs, .appID] {
      findings.expect("A029", key.types, entry.source.member(key.name), key.name, file)
    }
  },
]

let ruleTypeRules: [AssociationRule] = [
  AssociationRule(
    "A053", .warning, "rules-wrong-type", .undocumented, in: .entry,
    "`components` or `paths` is not an array",
    "devices ignore a value that is not an array",
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": "/buy/*"
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": ["/buy/*"]
      """#,
    check: wrongTypes("A053")),
  AssociationRule(
    "A054", .warning, "component-not-object", .undocumented, in: .components,
    "an element of `components` is not an object",
    "devices may ignore the element, or treat it as a rule that matches every link",
    wrong: #""/buy/*""#, right: #"{ "/": "/buy/*" }"#,
    check: wrongTypes("A054")),
  AssociationRule(
    "A055", .warning, "path-not-string", .undocumented, in: .paths, each: \.entries,
    "an element of `paths` is not a string",
    "devices may ignore the element, or treat it as a rule that matches every link",
    wrong: #"{ "/": "/buy/*" }"#, right: #""/buy/*""#
  ) { entry, file, findings in
    guard entry.ruleForm == .paths else { return }
    findings.expect("A055", AppleKey.paths.types, entry.ruleList?.value, "", file)
  },
  AssociationRule(
    "A058", .warning, "part-wrong-type", .undocumented, in: .components,
    "a part of a component has a value of the wrong type",
    "devices ignore a part of the wrong type, so the rule matches more links than intended",
    wrong: #"{ "/": ["/buy/*", "/sell/*"] }"#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "/sell/*" }
      """#,
    check: wrongTypes("A058")),
  AssociationRule(
    "A059", .warning, "query-value-not-string", .verified, in: .components,
    "a value in a query object is not a string",
    "one such value makes devices ignore the whole query object, so the rule matches more links "
      + "than intended",
    wrong: #"{ "/": "/buy/*", "?": { "id": 12 } }"#,
    right: #"{ "/": "/buy/*", "?": { "id": "12" } }"#,
    check: wrongTypes("A059")),
  AssociationRule(
    "A060", .warning, "flag-wrong-type", .undocumented, in: .components,
    "`exclude`, `caseSensitive` or `percentEncoded` is not `true` or `false`",
    "devices may treat the value as true, or ignore it",
    wrong: #"""
      { "/": "/buy/secret", "exclude": "true" },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/buy/secret", "exclude": true },
      { "/": "/buy/*" }
      """#,
    check: wrongTypes("A060")),
  AssociationRule(
    "A061", .warning, "defaults-wrong-type", .undocumented, in: .applinks,
    "`defaults` is not an object",
    "devices ignore a value that is not an object",
    wrong: exampleAppLinks(#""defaults": false"#),
    right: exampleAppLinks(#""defaults": { "caseSensitive": false }"#),
    check: wrongTypes("A061")),
  AssociationRule(
    "A069", .note, "comment-not-string", .documented, in: .components, each: \.ruleObjects,
    "a `comment` is not a string",
    "a comment is a text that devices ignore",
    wrong: #"{ "/": "/buy/*", "comment": ["the shop"] }"#,
    right: #"{ "/": "/buy/*", "comment": "the shop" }"#
  ) { object, file, findings in
    findings.expect("A069", AppleKey.comment.types, object.member("comment"), "", file)
  },
]

let serviceTypeRules: [AssociationRule] = [
  AssociationRule(
    "A141", .error, "apps-wrong-type", .documented, in: .file, each: \.appLists,
    "`apps` of a service is not an array",
    "the service is broken for all apps",
    wrong: #"{ "webcredentials": { "apps": "K27TX9P4QD.org.swift.shop" } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#
  ) { service, file, findings in
    let apps = service.list.source.member("apps")
    findings.expect("A141", AppleKey.apps.types, apps, service.name, file)
  },
  AssociationRule(
    "A147", .warning, "app-not-string", .documented, in: .file, each: \.appLists,
    "an element of `apps` is not a string",
    "devices expect each element to be an app identifier",
    wrong: #"{ "webcredentials": { "apps": [{ "appID": "K27TX9P4QD.org.swift.shop" }] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#
  ) { service, file, findings in
    findings.expect("A147", AppleKey.apps.types, service.list.source.member("apps"), "", file)
  },
]

let variableTypeRules: [AssociationRule] = [
  AssociationRule(
    "A126", .warning, "variable-not-array", .undocumented, in: .applinks, each: \.variables,
    "the value of a variable is not an array",
    "Apple documents an array of strings (grade D); aasa treats any other value as an empty "
      + "array, so patterns with the variable never match",
    wrong: exampleVariables(#""food": "sushi""#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#)
  ) { variable, file, findings in
    let types = AppleKey.substitutionVariables.types.dropFirst()
    findings.expect("A126", types, variable.source, variable.name.value, file)
  },
  AssociationRule(
    "A128", .warning, "variable-value-not-string", .documented, in: .applinks, each: \.variables,
    "a value of a variable is not a string",
    "devices expect strings",
    wrong: exampleVariables(#""food": ["sushi", 7]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#)
  ) { variable, file, findings in
    let types = AppleKey.substitutionVariables.types.dropFirst()
    findings.expect("A128", types, variable.source, variable.name.value, file)
  },
  AssociationRule(
    "A133", .warning, "variables-wrong-type", .undocumented, in: .applinks,
    "`substitutionVariables` is not an object",
    "Apple documents an object (grade D); aasa treats any other value as an empty object",
    wrong: exampleAppLinks(#""substitutionVariables": ["food"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#),
    check: wrongTypes("A133")),
]

/// Returns the function that checks a file for the rule with this code. The function checks all
/// values for which the table of keys contains this code.
private func wrongTypes(_ code: String) -> @Sendable (FileUnderCheck, inout Findings) -> Void {
  let rows = KeyLevel.allCases.flatMap { level in
    level.keys.filter { $0.types.contains { $0.code == code } }.map { (level, $0) }
  }
  return { file, findings in
    for (level, object) in file.objects {
      for (home, key) in rows where home == level {
        findings.expect(code, key.types, object.member(key.name), key.name, file)
      }
    }
  }
}

extension Findings {
  /// Reports a value of a wrong type if this rule is responsible for the value. If the value's type
  /// is right, checks the elements or members of the value in the same way.
  fileprivate mutating func expect(
    _ code: String, _ types: ArraySlice<ValueType>, _ value: Value?,
    _ name: @autoclosure () -> String, _ file: FileUnderCheck
  ) {
    guard let value, let type = types.first else { return }
    let kinds = type.form.kinds
    let rest = types.dropFirst()
    if kinds.contains(value.kind) {
      for part in value.elements { expect(code, rest, part, name(), file) }
      for part in value.members { expect(code, rest, part.value, part.key, file) }
    } else if type.code == code {
      let name = name()
      let subject = type.subject.replacing("%", with: name)
      report(
        value.head, "\(subject) is \(value.kind.words) and not \(kinds[0].words)",
        help: type.help(name, value, file))
    }
  }
}

func partHelp(_ key: String, _ value: Value, _: FileUnderCheck) -> String {
  if value.kind == .array { return "write one component for each pattern" }
  if key == "/" { return #"write a pattern: `"/": "*"`"# }
  return "leave `\(key)` out if it does not matter, or write a pattern: "
    + (key == "?" ? #"`"?": {"id": "?*"}`"# : ##"`"#": "?*"`"##)
}

/// Returns help for the value of a query item. The help does not suggest `"*"`, because this
/// pattern would also accept every URL without the query item.
func queryValueHelp(_ item: String, _ value: Value, _ file: FileUnderCheck) -> String {
  switch value.kind {
  case .number, .boolean:
    let text = String(decoding: file.source.bytes[value.range].prefix(40), as: UTF8.self)
    return "write the value in quotes: `\"\(item)\": \"\(text)\"`"
  case .array: return "write one component for each value"
  default:
    return "leave the item out if it does not matter, or require a value: `\"\(item)\": \"?*\"`"
  }
}

func flagHelp(_ key: String, _ value: Value, _: FileUnderCheck) -> String {
  switch value.string?.lowercased() ?? value.number.map({ "\($0 != 0)" }) {
  case "true", "yes", "on", "1": "write `\"\(key)\": true`"
  case "false", "no", "off", "0": "write `\"\(key)\": false`"
  default: "write `\"\(key)\": true` or `\"\(key)\": false`, or remove the key"
  }
}
