package import Diagnostics
internal import JSON
internal import Rules

let detailsRules: [AssociationRule] = [
  AssociationRule(
    "A010", .error, "no-service", .documented, effect: .allDevices, in: .file,
    "the file has none of the services that devices read",
    "only services list apps, so the file permits nothing",
    wrong: #"{ "apps": [] }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#
  ) { file, findings in
    guard namesNoService(file) else { return }
    let keys = file.keyed.first { $0.level == .top }?.strangeKeys ?? []
    let wrapper = keys.first { helpToUnwrap($0) != nil }
    // Every service is an object. Therefore, only a key with an object can be a newer service.
    let mayHaveService =
      wrapper == nil && keys.contains { $0.fault == .unknown && $0.value.kind == .object }
    findings.report(
      wrapper?.range ?? file.association.source.head,
      "the file has none of the services \(Association.serviceNames.joined(separator: ", "))",
      help: wrapper.flatMap(helpToUnwrap) ?? "write a service: \(exampleServices)",
      note: mayHaveService
        ? "devices ignore services that they do not know; a newer system may read this service"
        : nil,
      severity: mayHaveService ? .warning : nil)
  },
  AssociationRule(
    "A013", .warning, "details-missing", .documented, in: .file,
    "`applinks` has no `details`",
    "Apple does not say whether apps listed in `apps` may open links without `details`; `details` "
      + "defines the apps and their links",
    wrong: #"{ "applinks": { "apps": [] } }"#,
    right: #"""
      { "applinks": { "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ] } }
      """#
  ) { file, findings in
    guard let applinks = file.association.applinks, applinks.details == nil,
      !file.hasMisspeltKey("details", in: applinks.source), keysOfEntry(in: file).isEmpty
    else { return }
    findings.report(
      applinks.keyRange, "applinks has no `details`",
      help: #"write `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{}]}]`"#)
  },
  AssociationRule(
    "A014", .note, "details-empty", .documented, in: .applinks,
    "`details` is empty",
    "no link of the domain opens an app",
    wrong: #""details": []"#, right: exampleDetails
  ) { file, findings in
    guard let details = file.association.applinks?.details,
      details.value.members.isEmpty, details.value.elements.isEmpty,
      details.value.kind == .array || details.value.kind == .object,
      !isGeneratedEmptyFile(file.association)
    else { return }
    findings.report(
      details.value.range, "details is empty, so no link opens an app",
      help: "add an entry, or remove applinks if no link should open an app")
  },
  AssociationRule(
    "A016", .note, "details-dictionary", .verified, in: .applinks,
    "`details` is an object keyed by app identifier, the form of iOS 8",
    "devices still read this form, but an object has no order and only one entry for each app",
    wrong: #"""
      "details": {
        "K27TX9P4QD.org.swift.shop": { "paths": ["/buy/*"] }
      }
      """#,
    right: exampleDetails
  ) { file, findings in
    guard let applinks = file.association.applinks, applinks.detailsForm == .dictionary,
      let details = applinks.details, !applinks.entries.isEmpty
    else { return }
    findings.report(
      details.keyRange, "details is written in the form of iOS 8, keyed by app identifier",
      help: #"write an array: `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], …}]`"#)
  },
]

extension Kind {
  /// The kind of diagnostic about a file without services.
  package static let noService = detailsRules[0].kind
}

/// Help for a file that lists no app: a service for links and a service for passwords.
let exampleServices =
  #"{"applinks": {"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{"/": "#
  + #""/buy/*"}]}]}} for links, {"webcredentials": {"apps": ["K27TX9P4QD.org.swift.shop"]}} for "#
  + "passwords"

/// If the value of an unknown key contains a service, returns help to move the service.
func helpToUnwrap(_ key: KeyedObject.StrangeKey) -> String? {
  Association.serviceNames.first { key.value.member($0) != nil }
    .map { "move `\($0)` out of `\(key.key)`, to the top of the file" }
}

/// Whether the file has no service: no known key, no misspelled key, and no key of a service that
/// may be newer than this program.
func namesNoService(_ file: FileUnderCheck) -> Bool {
  !file.association.hasUnknownService
    && !Association.serviceNames.contains { file.association.source.member($0) != nil }
    && !file.keyed.contains { $0.level == .top && $0.hasMisspeltKeys }
}

let appKeyRules: [AssociationRule] = [
  AssociationRule(
    "A024", .warning, "apps-not-empty", .documented, in: .applinks,
    "`applinks.apps` lists apps or is not an array",
    "Apple does not say whether apps listed in `apps` may open links without `details`, so list "
      + "apps in `details`; Apple formerly required `apps` as an empty array",
    wrong: exampleAppLinks(#""apps": ["K27TX9P4QD.org.swift.shop"]"#),
    right: exampleAppLinks(#""apps": []"#)
  ) { file, findings in
    guard let apps = file.association.applinks?.apps else { return }
    if apps.value.kind == .array, apps.value.elements.isEmpty { return }
    findings.report(
      apps.value.kind == .array ? apps.keyRange : apps.value.head,
      "`apps` in applinks is not an empty array",
      help: #"write `"apps": []` or leave it out, and list apps in details"#)
  },
  AssociationRule(
    "A027", .warning, "unused-app-id", .verified, in: .entry, each: \.entries,
    "an entry has `appIDs` and an `appID` that `appIDs` does not list",
    "if `appIDs` is an array, even an empty one, devices ignore `appID`",
    wrong: #"""
      "appID": "K27TX9P4QD.org.swift.pay",
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.pay", "K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#
  ) { entry, _, findings in
    guard entry.identifierForm == .appIDs, let member = entry.source.lastMember("appID"),
      let text = member.value.string, !entry.appIdentifiers.contains(where: { $0.value == text })
    else { return }
    findings.report(
      member.value.range, "`appIDs` does not list this app, so the entry does not apply to the app",
      help: "add the app to appIDs and remove appID")
  },
  AssociationRule(
    "A028", .note, "both-app-id-and-app-ids", .verified, in: .entry, each: \.entries,
    "an entry has `appIDs` and an `appID` that `appIDs` also lists",
    "iOS 13 and later use `appIDs`; only older systems read `appID`",
    wrong: #"""
      "appID": "K27TX9P4QD.org.swift.shop",
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry
  ) { entry, _, findings in
    guard entry.identifierForm == .appIDs, let member = entry.source.lastMember("appID"),
      let text = member.value.string, entry.appIdentifiers.contains(where: { $0.value == text })
    else { return }
    findings.report(
      member.keyRange, "the entry has both `appID` and `appIDs`",
      help: "remove appID unless you support systems before iOS 13")
  },
]
