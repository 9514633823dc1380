internal import Diagnostics

struct DomainInAppLinks: ValidationRule {
  static let code = "A022"
  static let severity = Diagnostic.Severity.warning
  static let name = "domain-in-applinks"
  static let documentation = RuleDocumentation(
    what: "the file names a domain",
    consequence: "a file holds for the host that serves it: devices ignore domains in it",
    grade: .documented,
    wrong: #"""
      "domain": "example.com",
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    right: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for object in file.keyed {
      for key in object.strangeKeys where isDomainKey(key, object.level) {
        findings.report(
          key.range, "the key `\(key.key)` does not choose a domain",
          help: "remove it: serve a file of its own at each host, and name the hosts in the app's "
            + "entitlement com.apple.developer.associated-domains")
      }
    }
  }
}
