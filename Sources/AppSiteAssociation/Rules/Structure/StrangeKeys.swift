internal import Diagnostics
internal import JSON
internal import Rules

let misspeltKeyRules: [AssociationRule] = [
  AssociationRule(
    "A011", .warning, "misspelt-service", .undocumented, in: .file,
    "a key at the top of the file resembles the name of a service",
    "names of services are case-sensitive and unknown keys are ignored, so the service does "
      + "nothing",
    wrong: #"{ "webCredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    check: misspeltKeys(at: [.top])),
  AssociationRule(
    "A018", .warning, "misspelt-key-in-applinks", .undocumented, in: .applinks,
    "a key of `applinks` resembles a key that devices read",
    "keys are case-sensitive, and devices ignore unknown keys",
    wrong: #"""
      "detail": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    right: exampleDetails,
    check: misspeltKeys(at: [.applinks])),
  AssociationRule(
    "A019", .warning, "misspelt-key-in-entry", .undocumented, in: .entry,
    "a key of an entry of `details` resembles a key that devices read",
    "keys are case-sensitive, and devices ignore unknown keys",
    wrong: #"""
      "appIds": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry,
    check: misspeltKeys(at: [.entry])),
  AssociationRule(
    "A020", .warning, "misspelt-key-in-component", .verified, in: .components,
    "a key of a component or of `defaults` resembles a key that devices read",
    "unknown keys are ignored, so the rule matches other links than it says",
    wrong: #"{ "/": "/buy/*", "casesensitive": false }"#,
    right: #"{ "/": "/buy/*", "caseSensitive": false }"#,
    check: misspeltKeys(at: [.component, .defaults])),
  AssociationRule(
    "A146", .warning, "misspelt-key-in-service", .undocumented, in: .file,
    "a key of a service looks like a misspelled `apps`",
    "keys are case-sensitive, and devices ignore unknown keys",
    wrong: #"{ "webcredentials": { "Apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    check: misspeltKeys(at: [.service])),
]

private func misspeltKeys(
  at levels: [KeyLevel]
) -> @Sendable (FileUnderCheck, inout Findings) -> Void {
  { file, findings in
    for object in file.keyed where levels.contains(object.level) {
      for key in object.strangeKeys {
        guard case .misspelt(let right) = key.fault else { continue }
        findings.report(
          key.range, "the key `\(key.key)` has no meaning \(object.level.words)",
          help: "did you mean `\(right)`?")
      }
    }
  }
}

let strangeKeyRules: [AssociationRule] = [
  AssociationRule(
    "A021", .note, "unknown-key", .verified, in: .entry, each: \.keyed,
    "a key has no meaning for devices",
    "devices ignore the key (confirmed for components), and everybody can read it",
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "priority": 1,
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry
  ) { object, _, findings in
    for key in object.strangeKeys where key.fault == .unknown && !isDomainKey(key, object.level) {
      if object.level == .top {
        findings.report(
          key.range, "`\(key.key)` is not one of Apple's services",
          help: helpToUnwrap(key)
            ?? "remove the key, or begin it with an underscore if it is a remark; keep the key "
            + "if a newer system reads it",
          note: "devices ignore services that they do not know, and everybody can read them; the "
            + "services are \(Association.serviceNames.joined(separator: ", "))")
        continue
      }
      findings.report(
        key.range, "the key `\(key.key)` has no meaning \(object.level.words)",
        help: "remove the key, or begin it with an underscore if it is a remark")
    }
  },
  AssociationRule(
    "A149", .note, "retired-service", .documented, in: .file, each: \.keyed,
    "the file has a service that only older systems supported",
    "an archived guide describes the service, but Apple's current documents do not",
    wrong: #"""
      {
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] },
        "spotlight-image-search": { "details": [{ "appId": "K27TX9P4QD.org.swift.shop" }] }
      }
      """#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#
  ) { object, _, findings in
    for key in object.strangeKeys where key.fault == .retired {
      guard let service = AppleService.retired.first(where: { $0.name == key.key }) else {
        continue
      }
      findings.report(
        key.range, "`\(key.key)` is \(service.what), which Apple's current documents omit",
        help: "remove the service unless you support the older systems that read it",
        note: service.source)
    }
  },
  AssociationRule(
    "A022", .warning, "domain-in-applinks", .documented, in: .applinks, each: \.keyed,
    "a key seems to choose a domain",
    "a file applies to the host that serves it: devices ignore domains in the file",
    wrong: exampleAppLinks(#""domain": "example.com""#), right: exampleDetails
  ) { object, file, findings in
    for key in object.strangeKeys where isDomainKey(key, object.level) {
      findings.report(
        key.range, "the key `\(key.key)` does not choose a domain",
        help: "remove the key: serve a separate file at each host, and list the hosts in the app's "
          + "entitlement com.apple.developer.associated-domains")
    }
  },
  AssociationRule(
    "A023", .warning, "misplaced-key", .undocumented, in: .entry,
    "a key is in a part of the file where devices do not read it",
    "devices ignore a key where they do not expect it",
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "caseSensitive": false,
      "components": [{ "/": "/buy/*" }]
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "defaults": { "caseSensitive": false },
      "components": [{ "/": "/buy/*" }]
      """#
  ) { file, findings in
    let keys = keysOfEntry(in: file)
    if let first = keys.first {
      let names = keys.map { "`\($0.key)`" }.joined(separator: " and ")
      findings.report(
        first.range,
        "\(names) \(keys.count == 1 ? "is" : "are") in applinks itself, not in an entry of details",
        help: #"write an array of entries: `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "#
          + #""components": [{"/": "/buy/*"}]}]`"#)
    }
    for object in file.keyed {
      for key in object.strangeKeys {
        guard case .misplaced(let home) = key.fault,
          object.level != .service || key.key != "details",
          !keys.contains(where: { $0.range == key.range })
        else { continue }
        let help =
          exclusionHelp(key.key, object)
          ?? (object.level == .entry && home == .component
            ? "write the key into each component, or once into "
              + "`\"defaults\": {\"\(key.key)\": …}`"
            : "move the key: devices read it \(home.words)")
        findings.report(
          key.range, "the key `\(key.key)` does nothing \(object.level.words)", help: help)
      }
    }
  },
]

/// Returns keys that belong in an entry but are directly in `applinks`; empty if `applinks` has
/// `details`.
func keysOfEntry(in file: FileUnderCheck) -> [KeyedObject.StrangeKey] {
  guard let applinks = file.association.applinks, applinks.details == nil else { return [] }
  return file.keyed.filter { $0.level == .applinks }.flatMap(\.strangeKeys)
    .filter { $0.fault == .misplaced(.entry) }
}

/// Returns help for a key `exclude` whose value is an array; nil for other keys and values. The
/// author probably meant the array as a list of excluded paths.
private func exclusionHelp(_ key: String, _ object: KeyedObject) -> String? {
  guard key == "exclude", let list = object.source.lastMember(key)?.value, list.kind == .array
  else { return nil }
  let path = list.elements.first { $0.string != nil }?.string ?? "/secret"
  let isLegacy = object.source.member("paths") != nil
  return "write each exclusion before the rule that it restricts: "
    + (isLegacy ? #"`"NOT \#(path)"` in `paths`"# : #"`{"/": "\#(path)", "exclude": true}`"#)
}
