internal import Diagnostics
internal import JSON
internal import Rules

let detailsRules: [AssociationRule] = [
  AssociationRule(
    "A010", .error, "no-service",
    what: "the file has none of the four keys that devices read",
    consequence: "unknown keys are ignored, so the file permits nothing",
    grade: .documented,
    effect: .allDevices,
    wrong: #"{ "apps": [], "links": [] }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file
  ) { file, findings in
    guard namesNoService(file) else { return }
    findings.report(
      file.association.source.head,
      "the file names no service: applinks, webcredentials, appclips, activitycontinuation",
      help: #"write for example {"webcredentials": {"apps": ["K27TX9P4QD.org.swift.shop"]}}"#)
  },
  AssociationRule(
    "A013", .warning, "details-missing",
    what: "`applinks` has no `details`",
    consequence:
      "Apple does not say whether apps named in `apps` may open links without `details`; no other "
      + "app does",
    grade: .documented,
    wrong: #"{ "applinks": { "apps": [] } }"#,
    right: #"""
      { "applinks": { "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ] } }
      """#,
    in: .file
  ) { file, findings in
    guard let applinks = file.association.applinks, applinks.details == nil,
      !file.hasMisspeltKey("details", in: applinks.source), keysOfEntry(in: file).isEmpty
    else { return }
    findings.report(
      applinks.keyRange, "applinks has no `details`",
      help: #"write `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{}]}]`"#)
  },
  AssociationRule(
    "A014", .note, "details-empty",
    what: "`details` is empty",
    consequence: "no link of the domain opens an app",
    grade: .documented,
    wrong: #""details": []"#,
    right: exampleDetails,
    in: .applinks
  ) { file, findings in
    guard let details = file.association.applinks?.details,
      details.value.members.isEmpty, details.value.elements.isEmpty,
      details.value.kind == .array || details.value.kind == .object,
      !isGeneratedEmptyFile(file.association)
    else { return }
    findings.report(
      details.value.range, "details is empty, so no link opens an app",
      help: "add an entry, or leave applinks out when that is meant")
  },
  AssociationRule(
    "A016", .note, "details-dictionary",
    what: "`details` is an object keyed by app identifier, the form of iOS 8",
    consequence: "devices still read it, but it has no order, and only one entry for each app",
    grade: .verified,
    wrong: #"""
      "details": {
        "K27TX9P4QD.org.swift.shop": { "paths": ["/buy/*"] }
      }
      """#,
    right: exampleDetails,
    in: .applinks
  ) { file, findings in
    guard let applinks = file.association.applinks, applinks.detailsForm == .dictionary,
      let details = applinks.details, !applinks.entries.isEmpty
    else { return }
    findings.report(
      details.keyRange, "details is written in the form of iOS 8, keyed by app identifier",
      help: #"write an array: `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], …}]`"#)
  },
]

/// Whether the file has no key of a service, not even a misspelt one.
func namesNoService(_ file: FileUnderCheck) -> Bool {
  !Association.serviceNames.contains { file.association.source.member($0) != nil }
    && !file.keyed.contains { $0.level == .top && $0.hasMisspeltKeys }
}
