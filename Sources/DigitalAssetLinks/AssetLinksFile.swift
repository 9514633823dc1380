internal import AppSiteAssociation
package import Diagnostics
internal import JSON
package import Rules

/// The bytes of an `assetlinks.json`, read once: its statements, or why Android cannot read it.
///
/// A list with errors may still be readable.
package struct AssetLinksFile: Sendable {
  package let source: SourceText
  /// The statements; nil if Android cannot read the file.
  package let list: StatementList?
  /// Why Android cannot read the file; nil if it can.
  package let fault: Diagnostic?

  /// Reads a file without running any rule.
  package init(_ source: SourceText) {
    self.source = source
    do throws(SyntaxError) {
      let root = try Document(parsing: source).root
      list = root.kind == .array ? StatementList(root) : nil
      fault = root.kind == .array ? nil : Self.notAnArray(root, source)
    } catch {
      list = nil
      var diagnostic = error.diagnostic(in: source)
      // The general help for empty JSON suggests an association file.
      if [.empty, .onlyWhiteSpace].contains(error.kind) {
        diagnostic.help =
          "write a list of statements, or answer with 404: aasa init --passkeys writes one"
      }
      fault = diagnostic
    }
  }

  private static func notAnArray(_ root: Value, _ source: SourceText) -> Diagnostic {
    Diagnostic(
      .assetLinksNotAnArray, "the top level of assetlinks.json is not a JSON array",
      at: source.location(of: root.range.lowerBound..<(root.range.lowerBound + 1)))
  }

  /// Runs every rule.
  ///
  /// - Parameters:
  ///   - ignored: The codes of rules to skip.
  ///   - limit: The maximum number of findings kept per rule.
  package func report(ignoring ignored: Set<String> = [], limit: Int = 50) -> ValidationReport {
    guard let list else {
      return ValidationReport(isReadable: false, diagnostics: [fault].compactMap(\.self))
    }
    return StatementRule.report(
      of: statementRules, on: list, in: source, ignoring: ignored, limit: limit)
  }
}
