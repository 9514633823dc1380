internal import Diagnostics
internal import JSON

/// The types of what applinks and its entries consist of.
extension ValueTypeRule {
  static let service = ValueTypeRule(
    code: "A012", severity: .error, name: "service-not-object",
    documentation: RuleDocumentation(
      what: "the value of a service is not an object",
      consequence: "the service is broken for all apps",
      grade: .documented,
      wrong: #"{ "webcredentials": ["K27TX9P4QD.org.swift.shop"] }"#,
      right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
      in: .file)
  ) { file, values in
    for name in Association.serviceNames {
      let example =
        name == "applinks" ? #"{"details": []}"# : #"{"apps": ["K27TX9P4QD.org.swift.shop"]}"#
      values.add(
        file.association.source.lastMember(name)?.value, .object, name,
        help: "write `\"\(name)\": \(example)`")
    }
  }

  static let details = ValueTypeRule(
    code: "A015", severity: .error, name: "details-wrong-type",
    documentation: RuleDocumentation(
      what: "`details` is neither an array nor an object",
      consequence: "universal links are broken for all apps",
      grade: .documented,
      wrong: #""details": "K27TX9P4QD.org.swift.shop""#,
      right: #"""
        "details": [
          { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
        ]
        """#,
      in: .applinks)
  ) { file, values in
    let details = file.association.applinks?.details?.value
    if details?.kind == .object { return }
    values.add(
      details, .array, "details",
      help: #"write `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{}]}]`"#)
  }

  static let entry = ValueTypeRule(
    code: "A017", severity: .warning, name: "entry-not-object",
    documentation: RuleDocumentation(
      what: "an element of `details` is not an object",
      consequence: "devices ignore it",
      grade: .undocumented,
      wrong: #""details": ["K27TX9P4QD.org.swift.shop"]"#,
      right: #"""
        "details": [
          { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
        ]
        """#,
      in: .applinks)
  ) { file, values in
    guard let details = file.association.applinks?.details?.value else { return }
    let entries = details.kind == .array ? Array(details.elements) : details.members.map(\.value)
    for entry in entries {
      values.add(
        entry, .object, "this entry of details",
        help: #"write `{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{"/": "/buy/*"}]}`"#
      )
    }
  }

  static let identifiers = ValueTypeRule(
    code: "A029", severity: .warning, name: "identifier-wrong-type",
    documentation: RuleDocumentation(
      what: "`appIDs` is not an array of strings, or `appID` is not a string",
      consequence: "devices ignore a value of another type",
      grade: .verified,
      wrong: #"""
        "appIDs": "K27TX9P4QD.org.swift.shop",
        "components": [{ "/": "/buy/*" }]
        """#,
      right: #"""
        "appIDs": ["K27TX9P4QD.org.swift.shop"],
        "components": [{ "/": "/buy/*" }]
        """#,
      in: .entry)
  ) { file, values in
    for entry in file.entries where entry.identifierForm != .dictionaryKey {
      let list = entry.source.lastMember("appIDs")?.value
      values.add(
        list, .array, "appIDs", help: #"write `"appIDs": ["K27TX9P4QD.org.swift.shop"]`"#)
      for element in list.map({ Array($0.elements) }) ?? [] {
        values.add(
          element, .string, "this app identifier", help: #"write `"K27TX9P4QD.org.swift.shop"`"#)
      }
      values.add(
        entry.source.lastMember("appID")?.value, .string, "appID",
        help: #"write `"appIDs": [ … ]` for several apps"#)
    }
  }
}
