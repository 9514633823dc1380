internal import Diagnostics
internal import JSON
internal import Rules

/// A rule about association files.
typealias AssociationRule = FileRule<FileUnderCheck>

extension FileRule<FileUnderCheck> {
  /// - Parameters:
  ///   - what: The mistake that the rule finds: one sentence without a full stop.
  ///   - consequence: What devices do: the note of every diagnostic, with the evidence.
  ///   - wrong: A piece of a file that breaks the rule, short enough to read.
  ///   - effect: `.allDevices` if nothing in a file that breaks the rule does anything.
  ///   - right: The same piece without the mistake. If both are the same, the rule has no example.
  init(
    _ code: String, _ severity: Diagnostic.Severity, _ name: String, what: String,
    consequence: String, grade: Grade, effect: Kind.Effect = .none, wrong: String, right: String,
    in context: ExampleContext,
    check: @escaping @Sendable (FileUnderCheck, inout Findings) -> Void
  ) {
    let hasExample = wrong != right
    self.init(
      Kind(
        code, name, what, consequence, grade.words, grade: grade, severity: severity,
        effect: effect,
        wrong: hasExample ? wrong : nil, right: hasExample ? right : nil, in: context),
      check: check)
  }
}

extension Findings {
  /// Reports the value if it is of another type.
  ///
  /// - Parameter subject: What the value is, as the beginning of a sentence.
  mutating func expect(
    _ value: Value?, _ type: Value.Kind, _ subject: @autoclosure () -> String,
    help: @autoclosure () -> String
  ) {
    guard let value, value.kind != type else { return }
    report(
      value.head, "\(subject()) is \(value.kind.words) and not \(type.words)", help: help())
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
