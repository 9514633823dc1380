internal import Diagnostics

struct RouterParameter: ValidationRule {
  static let code = "A100"
  static let severity = Diagnostic.Severity.warning
  static let name = "router-parameter"
  static let documentation = RuleDocumentation(
    what: "a segment of a path pattern is a parameter of a web router, such as `:id`",
    consequence: "it is literal and matches no value",
    grade: .documented,
    wrong: #"{ "/": "/buy/:id" }"#,
    right: #"{ "/": "/buy/?*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path && !holds("://", use.text) {
      guard let range = parameterRange(in: use.bytes) else { continue }
      let text = String(decoding: use.bytes[range], as: UTF8.self)
      findings.report(
        use.range(range, in: file.source), "`\(text)` stands for itself and not for a value",
        help: "write `?*`, which matches one or more characters: `/buy/?*`")
    }
  }
  private static func parameterRange(in bytes: [UInt8]) -> Range<Int>? {
    for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: ":") {
      guard index == 0 || bytes[index - 1] == UInt8(ascii: "/"), isASCIILetter(bytes[index + 1])
      else {
        continue
      }
      let end = bytes[index...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
      return index..<end
    }
    return nil
  }
}
