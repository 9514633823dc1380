package import Diagnostics
internal import JSON

/// The kinds of diagnostics about association files, in the order of their codes.
package let associationKinds: [Kind] =
  (RuleTable.all.map(\.documentation.kind) + formKinds + pathKinds
  + Kind.ofSyntaxErrors)
  .sorted { $0.code < $1.code }
