internal import Bytes
internal import Diagnostics
internal import JSON
internal import Rules

let appListRules: [AssociationRule] = [
  AssociationRule(
    "A140", .warning, "apps-missing", .documented, in: .file, each: \.appLists,
    "a service that lists apps has no `apps`",
    "without `apps` no app gets the service",
    wrong: #"{ "webcredentials": {} }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#
  ) { service, file, findings in
    let source = service.list.source
    guard source.member("apps") == nil, !file.hasMisspeltKey("apps", in: source),
      source.member("details") == nil
    else { return }
    findings.report(
      service.list.keyRange, "\(service.name) has no `apps`",
      help: #"write `"apps": ["K27TX9P4QD.org.swift.shop"]` into it"#)
  },
  AssociationRule(
    "A142", .note, "apps-empty", .documented, in: .file, each: \.appLists,
    "`apps` of a service is empty",
    "no app gets the service",
    wrong: #"{ "webcredentials": { "apps": [] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#
  ) { service, file, findings in
    guard let value = service.list.source.lastMember("apps")?.value, value.kind == .array,
      value.elements.isEmpty, !isGeneratedEmptyFile(file.association)
    else { return }
    findings.report(
      value.range, "\(service.name) lists no app", help: "add an app, or leave \(service.name) out"
    )
  },
  AssociationRule(
    "A144", .warning, "details-in-app-list", .documented, in: .file, each: \.appLists,
    "a service that lists apps has the structure of `applinks`",
    "in a service that lists apps, devices read only `apps`, an array of app identifiers",
    wrong: #"{ "webcredentials": { "details": [{ "appIDs": ["K27TX9P4QD.org.swift.shop"] }] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#
  ) { service, _, findings in
    guard let member = service.list.source.lastMember("details") else { return }
    findings.report(
      member.keyRange, "\(service.name) has no `details`",
      help: #"write `"apps": ["K27TX9P4QD.org.swift.shop"]`"#)
  },
]

let appClipRules: [AssociationRule] = [
  AssociationRule(
    "A143", .warning, "wildcard-in-app-clips", .documented, in: .file, each: \.identifiers,
    "`appclips` contains a value that begins with `*.`",
    "App Clips do not support wildcards, neither in apps nor in domains",
    wrong: #"{ "appclips": { "apps": ["*.example.com"] } }"#,
    right: #"{ "appclips": { "apps": ["K27TX9P4QD.org.swift.shop.Clip"] } }"#
  ) { use, _, findings in
    guard use.service == "appclips" && use.text.hasPrefix("*.") else { return }
    findings.report(
      use.located.range, "wildcards are not allowed for App Clips",
      help:
        "list the App Clip, such as `K27TX9P4QD.org.swift.shop.Clip`, and list each host in the "
        + "App Clip's entitlement")
  },
  AssociationRule(
    "A145", .note, "app-in-app-clips", .documented, in: .file,
    "`appclips` contains the same identifier as another service",
    "an App Clip has its own identifier, usually the app's identifier and `.Clip`",
    wrong: #"""
      {
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] },
        "appclips": { "apps": ["K27TX9P4QD.org.swift.shop"] }
      }
      """#,
    right: #"""
      {
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] },
        "appclips": { "apps": ["K27TX9P4QD.org.swift.shop.Clip"] }
      }
      """#
  ) { file, findings in
    let others = Set(file.identifiers.filter { $0.service != "appclips" }.map(\.text))
    for use in file.identifiers where use.service == "appclips" && use.fault != .placeholder {
      guard others.contains(use.text), !use.text.lowercased().hasSuffix("clip") else { continue }
      findings.report(
        use.located.range, "another service lists this identifier as an app, not as an App Clip",
        help: "write the App Clip's own identifier, for example `\(use.text).Clip`")
    }
  },
]

let callbackRules: [AssociationRule] = [
  AssociationRule(
    "A148", .note, "callback-without-webcredentials", .observed, in: .file,
    "a path looks like the callback of a sign-in, but `webcredentials` does not list the app",
    "`ASWebAuthenticationSession` accepts an HTTPS callback only for apps in `webcredentials`: "
      + "`applinks` alone is not enough",
    wrong: exampleFile("/oauth/callback"),
    right: exampleFile("/oauth/callback", webcredentials: "K27TX9P4QD.org.swift.shop")
  ) { file, findings in
    let sharing = Set(file.identifiers.filter { $0.service == "webcredentials" }.map(\.text))
    for entry in file.entries {
      guard let app = entry.appIdentifiers.map(\.value).first(where: { !sharing.contains($0) }),
        let rule = entry.rules.first(where: { !$0.isExclusion && isCallback($0) }),
        let path = rule.written.path
      else { continue }
      findings.report(
        path.range,
        "this path looks like the callback of a sign-in, but `webcredentials` does not list \(app)",
        help: "if the app signs in with `ASWebAuthenticationSession`, write "
          + "`\"webcredentials\": { \"apps\": [\"\(app)\"] }`, and `webcredentials:HOST` into its "
          + "entitlements")
    }
  }
]

private func isCallback(_ rule: Rule) -> Bool {
  guard let path = rule.written.path?.value.lowercased() else { return false }
  return path.contains("callback") || path.contains("oauth")
}
