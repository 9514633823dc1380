internal import Diagnostics

struct TaskInComment: ValidationRule {
  static let code = "A152"
  static let severity = Diagnostic.Severity.note
  static let name = "task-in-comment"
  static let documentation = RuleDocumentation(
    what: "a remark is a note to its writer, such as TODO",
    consequence: "everybody can read the file",
    grade: .reasoned,
    wrong: #"{ "/": "/buy/*", "comment": "TODO: remove after launch" }"#,
    right: #"{ "/": "/buy/*", "comment": "the shop" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for remark in file.remarks where isTask(remark.value) {
      findings.report(
        remark.range, "this remark is a note to its writer",
        help: "do what it says, or keep it elsewhere")
    }
  }

  private static let words = ["TODO", "FIXME", "XXX", "HACK"]
  private static let signs = PhraseSearch(words)

  private static func isTask(_ text: String) -> Bool {
    guard signs.mayOccur(in: text) else { return false }
    return text.split(whereSeparator: { !$0.isLetter }).contains { words.contains(String($0)) }
  }
}
