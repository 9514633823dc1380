internal import Diagnostics

struct MisplacedKey: ValidationRule {
  static let code = "A023"
  static let severity = Diagnostic.Severity.warning
  static let name = "misplaced-key"
  static let documentation = RuleDocumentation(
    what: "a key stands where it has no meaning, but would have one elsewhere",
    consequence: "devices ignore a key where they do not expect it",
    grade: .undocumented,
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "caseSensitive": false,
      "components": [{ "/": "/buy/*" }]
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "defaults": { "caseSensitive": false },
      "components": [{ "/": "/buy/*" }]
      """#,
    in: .entry)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for object in file.keyed {
      for key in object.strangeKeys {
        guard case .misplaced(let home) = key.fault,
          object.level != .service || key.key != "details"
        else { continue }
        let help =
          object.level == .entry && home == .component
          ? "write it into each component, or once into `\"defaults\": {\"\(key.key)\": …}`"
          : "move it: it has a meaning \(home.words)"
        findings.report(
          key.range, "the key `\(key.key)` does nothing \(object.level.words)", help: help)
      }
    }
  }
}
