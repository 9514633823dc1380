internal import Diagnostics
internal import JSON

/// A rule about values of a wrong type at some places of the file.
struct ValueTypeRule: ValidationRule {
  let documentation: RuleDocumentation
  /// Expects every value at those places to have the right type.
  let expect: @Sendable (FileUnderCheck, inout Findings) -> Void

  func check(_ file: FileUnderCheck, into findings: inout Findings) { expect(file, &findings) }
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
