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
    for element in value.elements where element.isContainer { check(element, file, &findings) }
    var hasEqualLengths = false
    var lengths: UInt64 = 0
    for member in value.members {
      if member.value.isContainer { check(member.value, file, &findings) }
      // Equal keys have equal lengths unless one is written with escapes.
      let bit: UInt64 = 1 << UInt64(member.keyRange.count & 63)
      if member.keyHasEscapes || lengths & bit != 0 { hasEqualLengths = true }
      lengths |= bit
    }
    if hasEqualLengths { compareKeys(of: value, file, &findings) }
  }

  private static func compareKeys(
    of value: Value, _ file: FileUnderCheck, _ findings: inout Findings
  ) {
    var first: [ExactText: Range<Int>] = [:]
    for member in value.members {
      guard let range = first.updateValue(member.keyRange, forKey: ExactText(member.key)) else {
        continue
      }
      findings.report(
        member.keyRange, "the key `\(member.key)` is in this object for the second time",
        help: "keep one of the two; the first is on line \(file.line(of: range))")
    }
  }
}
