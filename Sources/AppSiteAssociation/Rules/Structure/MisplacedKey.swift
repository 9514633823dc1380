internal import Diagnostics
internal import JSON

struct MisplacedKey: ValidationRule {
  static let code = "A023"
  static let severity = Diagnostic.Severity.warning
  static let name = "misplaced-key"
  static let documentation = RuleDocumentation(
    what: "a key has no meaning in its place, but would have one elsewhere",
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
          exclusionHelp(key.key, object)
          ?? (object.level == .entry && home == .component
            ? "write it into each component, or once into `\"defaults\": {\"\(key.key)\": …}`"
            : "move it: it has a meaning \(home.words)")
        findings.report(
          key.range, "the key `\(key.key)` does nothing \(object.level.words)", help: help)
      }
    }
  }

  /// A list of paths that are meant as exclusions.
  private static func exclusionHelp(_ key: String, _ object: KeyedObject) -> String? {
    guard key == "exclude", let list = object.source.lastMember(key)?.value, list.kind == .array
    else { return nil }
    let path = list.elements.first { $0.string != nil }?.string ?? "/secret"
    let isLegacy = object.source.member("paths") != nil
    return "write each before what it is an exception of: "
      + (isLegacy ? #"`"NOT \#(path)"` in `paths`"# : #"`{"/": "\#(path)", "exclude": true}`"#)
  }
}
