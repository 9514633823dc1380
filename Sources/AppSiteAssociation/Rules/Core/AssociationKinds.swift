package import Diagnostics
internal import JSON

/// The kinds of diagnostics about association files, in the order of their codes.
package let associationKinds: [DiagnosticKind] =
  (RuleTable.all.map(DiagnosticKind.init) + formKinds + pathKinds
  + SyntaxError.Kind.allCases.map(DiagnosticKind.init))
  .sorted { $0.code < $1.code }

extension DiagnosticKind {
  init(_ rule: any ValidationRule) {
    let documentation = rule.documentation
    let grade = documentation.grade
    let hasExample = documentation.wrong.text != documentation.right.text
    self.init(
      documentation.code, documentation.name, documentation.what, documentation.consequence,
      grade.words.map { "\($0) (grade \(grade.rawValue))" }, severity: documentation.severity,
      wrong: hasExample ? documentation.wrong.text : nil,
      right: hasExample ? documentation.right.text : nil)
  }
}
