package import Diagnostics

/// The findings in one file.
package struct ValidationReport: Sendable {
  /// Whether the file's form was accepted; if not, no rule ran.
  package let isReadable: Bool
  /// The diagnostics in the order of their places, after those about the whole file.
  package var diagnostics: [Diagnostic]
  /// The number of diagnostics left out.
  package var omitted: Int
  /// The text that the rules read, if it differs from the file: without a byte order mark, or the
  /// content of a signed file.
  package let text: SourceText?

  package init(
    isReadable: Bool, diagnostics: [Diagnostic], omitted: Int = 0, text: SourceText? = nil
  ) {
    self.isReadable = isReadable
    self.diagnostics = diagnostics
    self.omitted = omitted
    self.text = text
  }

  package func count(_ severity: Diagnostic.Severity) -> Int {
    diagnostics.count { $0.severity == severity }
  }

  /// The worst severity; nil if there are no diagnostics.
  package var worst: Diagnostic.Severity? { diagnostics.map(\.severity).max() }
}

extension FileRule {
  /// Runs rules on the content of a file.
  ///
  /// - Parameters:
  ///   - ignored: The codes of rules to skip.
  ///   - limit: The maximum number of findings kept per rule.
  package static func report(
    of rules: [FileRule], on content: Content, in source: SourceText, ignoring ignored: Set<String>,
    limit: Int
  ) -> ValidationReport {
    var findings = Findings(limit: limit)
    findings.run(rules, on: content, ignoring: ignored)
    let found = findings.diagnostics(in: source)
    return ValidationReport(isReadable: true, diagnostics: found.kept, omitted: found.omitted)
  }
}
