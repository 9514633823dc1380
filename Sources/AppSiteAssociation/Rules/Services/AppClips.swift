internal import Diagnostics
internal import Rules

let appClipRules: [AssociationRule] = [
  AssociationRule(
    "A143", .warning, "wildcard-in-app-clips",
    what: "`appclips` holds something that begins with `*.`",
    consequence: "App Clips have no wildcards, neither in apps nor in domains",
    grade: .documented,
    wrong: #"{ "appclips": { "apps": ["*.example.com"] } }"#,
    right: #"{ "appclips": { "apps": ["K27TX9P4QD.org.swift.shop.Clip"] } }"#,
    in: .file
  ) { file, findings in
    for use in file.identifiers where use.service == "appclips" && use.text.hasPrefix("*.") {
      findings.report(
        use.located.range, "wildcards are not allowed for App Clips",
        help:
          "name the App Clip: `K27TX9P4QD.org.swift.shop.Clip`, and each host in its entitlement")
    }
  },
  AssociationRule(
    "A145", .note, "app-in-app-clips",
    what: "`appclips` names the same identifier as another service",
    consequence:
      "an App Clip has an identifier of its own, usually that of its app with `.Clip` after it",
    grade: .documented,
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
      """#,
    in: .file
  ) { file, findings in
    let others = Set(file.identifiers.filter { $0.service != "appclips" }.map(\.text))
    for use in file.identifiers where use.service == "appclips" && use.fault != .placeholder {
      guard others.contains(use.text), !use.text.lowercased().hasSuffix("clip") else { continue }
      findings.report(
        use.located.range, "another service names this as an app, not as an App Clip",
        help: "write the App Clip's own identifier, for example `\(use.text).Clip`")
    }
  },
]
