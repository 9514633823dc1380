internal import Diagnostics
internal import JSON

/// A rule about values of a wrong type at some places of the file.
struct ValueTypeRule: ValidationRule {
  let documentation: RuleDocumentation
  /// Adds every value at those places, with the type that it should have.
  let addValues: @Sendable (FileUnderCheck, inout Values) -> Void

  func check(_ file: FileUnderCheck, into findings: inout Findings) {
    var values = Values(findings: findings)
    addValues(file, &values)
    findings = values.findings
  }

  struct Values {
    fileprivate var findings: Findings

    /// Reports the value if it is of another type.
    ///
    /// - Parameter subject: What the value is, as the beginning of a sentence.
    mutating func add(
      _ value: Value?, _ type: Value.Kind, _ subject: @autoclosure () -> String,
      help: @autoclosure () -> String
    ) {
      guard let value, value.kind != type else { return }
      findings.report(
        value.head, "\(subject()) is \(value.kindWords) and not \(type.words)", help: help())
    }
  }
}
