internal import Diagnostics
internal import JSON
internal import Rules

let structureTypeRules: [AssociationRule] = [
  AssociationRule(
    "A012", .error, "service-not-object",
    what: "the value of a service is not an object",
    consequence: "the service is broken for all apps",
    grade: .documented,
    wrong: #"{ "webcredentials": ["K27TX9P4QD.org.swift.shop"] }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file
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
    "A015", .error, "details-wrong-type",
    what: "`details` is neither an array nor an object",
    consequence: "universal links are broken for all apps",
    grade: .documented,
    wrong: #""details": "K27TX9P4QD.org.swift.shop""#,
    right: exampleDetails,
    in: .applinks
  ) { file, findings in
    let details = file.association.applinks?.details?.value
    if details?.kind == .object { return }
    findings.expect(
      details, .array, "details",
      help: #"write `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{}]}]`"#)
  },
  AssociationRule(
    "A017", .warning, "entry-not-object",
    what: "an element of `details` is not an object",
    consequence: "devices ignore it",
    grade: .undocumented,
    wrong: #""details": ["K27TX9P4QD.org.swift.shop"]"#,
    right: exampleDetails,
    in: .applinks
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
    "A029", .warning, "identifier-wrong-type",
    what: "`appIDs` is not an array of strings, or `appID` is not a string",
    consequence: "devices ignore a value of another type",
    grade: .verified,
    wrong: #"""
      "appIDs": "K27TX9P4QD.org.swift.shop",
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry,
    in: .entry
  ) { file, findings in
    for entry in file.entries where entry.identifierForm != .dictionaryKey {
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
    }
  },
]
