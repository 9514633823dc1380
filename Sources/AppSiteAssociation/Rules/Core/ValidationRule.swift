package import Diagnostics

/// A rule about association files: how to find a mistake, and how to explain it.
package protocol ValidationRule: Sendable {
  var documentation: RuleDocumentation { get }

  /// Reports every place where the file breaks the rule.
  func check(_ file: FileUnderCheck, into findings: inout Findings)
}

extension ValidationRule {
  package var code: String { documentation.kind.code }
  package var severity: Diagnostic.Severity { documentation.kind.severity }
}

/// The explanation of a rule.
package struct RuleDocumentation: Sendable {
  package let kind: Kind

  init(
    _ code: String, _ severity: Diagnostic.Severity, _ name: String, what: String,
    consequence: String, grade: Grade, wrong: String, right: String,
    in context: ExampleContext
  ) {
    let hasExample = wrong != right
    kind = Kind(
      code, name, what, consequence, grade.words, grade: grade,
      severity: severity, wrong: hasExample ? wrong : nil, right: hasExample ? right : nil,
      in: context)
  }
}

/// Pieces of an association file around an example.
extension ExampleContext {
  /// Members of `applinks`.
  static let applinks = ExampleContext(
    "{\n  \"applinks\": {\n", indentation: 4, "\n  }\n}\n")
  /// Members of an entry of `details`, including the app.
  static let entry = ExampleContext(
    "{\n  \"applinks\": {\n    \"details\": [\n      {\n", indentation: 8,
    "\n      }\n    ]\n  }\n}\n")
  /// An app identifier in quotes.
  static let identifier = ExampleContext(
    "{\n  \"applinks\": {\n    \"details\": [\n      {\n        \"appIDs\": [", indentation: 0,
    "],\n        \"components\": [{ \"/\": \"/buy/*\" }]\n      }\n    ]\n  }\n}\n")
  /// Elements of `components`.
  static let components = list("components")
  /// Elements of `paths`.
  static let paths = list("paths")

  private static func list(_ key: String) -> ExampleContext {
    ExampleContext(
      "{\n  \"applinks\": {\n    \"details\": [\n      {\n"
        + "        \"appIDs\": [\"K27TX9P4QD.org.swift.shop\"],\n        \"\(key)\": [\n",
      indentation: 10, "\n        ]\n      }\n    ]\n  }\n}\n")
  }
}
