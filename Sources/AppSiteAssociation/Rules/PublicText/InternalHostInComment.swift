internal import Diagnostics

struct InternalHostInComment: ValidationRule {
  static let code = "A151"
  static let severity = Diagnostic.Severity.note
  static let name = "internal-host-in-comment"
  static let documentation = RuleDocumentation(
    what: "a remark names an internal host or address",
    consequence: "everybody can read the file",
    grade: .reasoned,
    wrong: #"{ "/": "/buy/*", "comment": "see http://wiki.corp/links" }"#,
    right: #"{ "/": "/buy/*", "comment": "the shop" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for remark in file.remarks where namesInternalHost(remark.value) {
      findings.report(
        remark.range, "this remark names an internal host",
        help: "remove it: the file is public")
    }
  }

  private static let endings = ["corp", "internal", "local", "lan", "intranet", "localdomain"]
  private static let signs = PhraseSearch(
    ["localhost", "10.", "127.", "172.", "192."] + endings.map { "." + $0 })

  private static func namesInternalHost(_ text: String) -> Bool {
    guard signs.mayOccur(in: text) else { return false }
    return text.lowercased().split(whereSeparator: {
      !$0.isLetter && !$0.isNumber && !".-".contains($0)
    })
    .contains { word in
      let labels = word.split(separator: ".")
      if word == "localhost" { return true }
      guard labels.count > 1, let last = labels.last else { return false }
      if endings.contains(String(last)) { return true }
      let numbers = labels.compactMap { UInt8($0) }
      guard labels.count == 4, numbers.count == 4 else { return false }
      return numbers[0] == 10 || numbers[0] == 127 || numbers[0] == 192 && numbers[1] == 168
        || numbers[0] == 172 && (16...31).contains(numbers[1])
    }
  }
}
