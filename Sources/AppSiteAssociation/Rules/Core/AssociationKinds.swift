package import Diagnostics
internal import JSON
internal import Rules

/// The kinds of diagnostics about association files, in the order of their codes.
package let associationKinds: [Kind] =
  (associationRules.map(\.kind) + formKinds + pathKinds
  + Kind.ofSyntaxErrors)
  .sorted { $0.code < $1.code }
