package import Diagnostics

/// A fault in files of one kind: how to find it, and what to report.
///
/// The severity follows what devices do: an error if a file, a service or a statement can never
/// work; a warning if something in it can never have its effect; a note for the rest. Nothing that
/// works on devices is an error.
package struct FileRule<Content>: Sendable {
  /// The kind that the rule reports and `aasa explain` prints. Its wrong example breaks this rule;
  /// its right example breaks no rule.
  package let kind: Kind
  /// Reports every place where the file breaks the rule.
  let check: @Sendable (Content, inout Findings) -> Void

  package init(_ kind: Kind, check: @escaping @Sendable (Content, inout Findings) -> Void) {
    self.kind = kind
    self.check = check
  }
}
