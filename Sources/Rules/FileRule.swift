package import Diagnostics

/// A fault in files of one kind: how to find it, and what to report.
///
/// Severity follows what devices do: an error if a file, a service or a statement can never hold, a
/// warning if something in it can never do what it says, a note for the rest. What works on devices
/// is never an error.
package struct FileRule<Content>: Sendable {
  /// `aasa explain` prints it. The wrong example breaks this rule, the right one breaks none.
  package let kind: Kind
  /// Reports every place where the file breaks the rule.
  let check: @Sendable (Content, inout Findings) -> Void

  package init(_ kind: Kind, check: @escaping @Sendable (Content, inout Findings) -> Void) {
    self.kind = kind
    self.check = check
  }
}
