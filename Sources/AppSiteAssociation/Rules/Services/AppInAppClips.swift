internal import Diagnostics

struct AppInAppClips: ValidationRule {
  static let code = "A145"
  static let severity = Diagnostic.Severity.note
  static let name = "app-in-app-clips"
  static let documentation = RuleDocumentation(
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
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    let others = Set(file.identifiers.filter { $0.service != "appclips" }.map(\.text))
    for use in file.identifiers where use.service == "appclips" && use.fault != .placeholder {
      guard others.contains(use.text), !use.text.lowercased().hasSuffix("clip") else { continue }
      findings.report(
        use.located.range, "another service names this as an app, not as an App Clip",
        help: "write the App Clip's own identifier, for example `\(use.text).Clip`")
    }
  }
}
