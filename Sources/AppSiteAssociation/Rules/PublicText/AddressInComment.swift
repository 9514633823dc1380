internal import Diagnostics

struct AddressInComment: ValidationRule {
  static let code = "A153"
  static let severity = Diagnostic.Severity.note
  static let name = "address-in-comment"
  static let documentation = RuleDocumentation(
    what: "a remark holds an e-mail address",
    consequence: "everybody can read the file, robots that collect addresses included",
    grade: .reasoned,
    wrong: #"{ "/": "/buy/*", "comment": "ask jane.doe@example.com" }"#,
    right: #"{ "/": "/buy/*", "comment": "the shop" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for remark in file.remarks where holdsAddress(remark.value) {
      findings.report(
        remark.range, "this remark holds an e-mail address",
        help: "remove it")
    }
  }

  private static let signs = PhraseSearch(["@"])

  private static func holdsAddress(_ text: String) -> Bool {
    guard signs.mayOccur(in: text) else { return false }
    return text.split(whereSeparator: { $0.isWhitespace }).contains { (word: Substring) in
      guard let sign = word.firstIndex(of: "@"), sign > word.startIndex else { return false }
      let host = word[word.index(after: sign)...].split(separator: ".")
      return host.count > 1 && host.allSatisfy { $0.first?.isLetter ?? false }
    }
  }
}
