internal import Diagnostics
internal import JSON
internal import Rules

/// A rule about association files.
typealias AssociationRule = FileRule<FileUnderCheck>

extension FileRule<FileUnderCheck> {
  /// - Parameters:
  ///   - what: The mistake that the rule finds: one sentence without a full stop.
  ///   - consequence: What devices do, with the evidence: the note of every diagnostic.
  ///   - wrong: A part of a file that breaks the rule, short enough to read.
  ///   - effect: `.allDevices` if breaking the rule disables the whole file.
  ///   - right: The same part without the mistake. If equal to `wrong`, the rule has no example.
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
  /// Reports a value of the wrong type.
  ///
  /// - Parameter subject: What the value is, phrased for the beginning of a sentence.
  mutating func expect(
    _ value: Value?, _ type: Value.Kind, _ subject: @autoclosure () -> String,
    help: @autoclosure () -> String
  ) {
    guard let value, value.kind != type else { return }
    report(
      value.head, "\(subject()) is \(value.kind.words) and not \(type.words)", help: help())
  }
}

/// The parts of an association file around an example.
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
