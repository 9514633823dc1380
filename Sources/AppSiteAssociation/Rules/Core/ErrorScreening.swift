package import Diagnostics
internal import JSON

/// A rule of severity error: a file that breaks it is not served.
protocol ErrorRule: ValidationRule {
  /// Whether the file may break the rule, told from its top without anything being built.
  ///
  /// Never false for a file in which `check` finds something.
  static func mayBeBroken(by root: Value) -> Bool
}

/// Whether it is certain that `validate` finds no error in a file.
///
/// It costs little more than to read the JSON once: for who must decide of very many files whether
/// they can be served. False for signed files too, of which only `validate` can tell.
package func isCertainlyFreeOfErrors(_ source: SourceText) -> Bool {
  guard isPlainObject(source), let document = try? Document(parsing: source) else { return false }
  let root = document.root
  return RuleTable.errors.allSatisfy { !$0.mayBeBroken(by: root) }
}
