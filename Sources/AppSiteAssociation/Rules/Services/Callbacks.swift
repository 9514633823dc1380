internal import Diagnostics
internal import Rules

let callbackRules: [AssociationRule] = [
  AssociationRule(
    "A148", .note, "callback-without-webcredentials",
    what: "a path looks like the callback of a sign-in, and the app is not under `webcredentials`",
    consequence:
      "`ASWebAuthenticationSession` takes an HTTPS callback only for apps under `webcredentials`: "
      + "`applinks` alone is not enough",
    grade: .observed,
    wrong: #"""
      {
        "applinks": {
          "details": [
            {
              "appIDs": ["K27TX9P4QD.org.swift.shop"],
              "components": [{ "/": "/oauth/callback" }]
            }
          ]
        }
      }
      """#,
    right: #"""
      {
        "applinks": {
          "details": [
            {
              "appIDs": ["K27TX9P4QD.org.swift.shop"],
              "components": [{ "/": "/oauth/callback" }]
            }
          ]
        },
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] }
      }
      """#,
    in: .file
  ) { file, findings in
    let sharing = Set(
      file.identifiers.filter { $0.service == "webcredentials" }.map(\.text))
    for entry in file.entries {
      guard let app = entry.appIdentifiers.map(\.value).first(where: { !sharing.contains($0) }),
        let rule = entry.rules.first(where: { !$0.isExclusion && isCallback($0) }),
        let path = rule.written.path
      else { continue }
      findings.report(
        path.range, "this looks like the callback of a sign-in, and `webcredentials` lacks \(app)",
        help: "if the app signs in with `ASWebAuthenticationSession`, write "
          + "`\"webcredentials\": { \"apps\": [\"\(app)\"] }`, and `webcredentials:HOST` into its "
          + "entitlements")
    }
  }
]

private func isCallback(_ rule: Rule) -> Bool {
  guard let path = rule.written.path?.value.lowercased() else { return false }
  return holds("callback", path) || holds("oauth", path)
}
