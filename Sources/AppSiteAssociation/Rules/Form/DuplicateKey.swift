internal import Diagnostics
internal import JSON

struct DuplicateKey: ValidationRule {
  static let code = "A006"
  static let severity = Diagnostic.Severity.warning
  static let name = "duplicate-key"
  static let documentation = RuleDocumentation(
    what: "an object has the same key twice",
    consequence: "which of the two a device takes is not defined; most readers take the last one",
    grade: .undocumented,
    wrong: #"""
      {
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] },
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.pay"] }
      }
      """#,
    right: #"""
      {
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.pay"] }
      }
      """#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    check(file.association.source, file, &findings)
  }
  private static func check(_ value: Value, _ file: FileUnderCheck, _ findings: inout Findings) {
    for element in value.elements { check(element, file, &findings) }
    var first: [ExactText: Range<Int>] = [:]
    for member in value.members {
      if let range = first.updateValue(member.keyRange, forKey: ExactText(member.key)) {
        findings.report(
          member.keyRange, "the key `\(member.key)` stands in this object for the second time",
          help: "keep one of the two; the first is on line \(file.line(of: range))")
      }
      check(member.value, file, &findings)
    }
  }
}
