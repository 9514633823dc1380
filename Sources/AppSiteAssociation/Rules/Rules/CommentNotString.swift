internal import Diagnostics
internal import JSON

struct CommentNotString: ValidationRule {
  static let code = "A069"
  static let severity = Diagnostic.Severity.note
  static let name = "comment-not-string"
  static let documentation = RuleDocumentation(
    what: "a `comment` is not a string",
    consequence: "devices ignore comments, whatever they are",
    grade: .verified,
    wrong: #"{ "/": "/buy/*", "comment": ["the shop"] }"#,
    right: #"{ "/": "/buy/*", "comment": "the shop" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for object in file.ruleObjects {
      guard let value = object.lastMember("comment")?.value, value.kind != .string else { continue }
      findings.report(
        value.head, "the comment is \(value.kindWords) and not a string",
        help: "write it as a text in quotes")
    }
  }
}
