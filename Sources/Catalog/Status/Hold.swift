package import Diagnostics

/// A loss that the server noticed and ignores until an operator confirms it. Until then, everything
/// is served as before.
package struct Hold: Sendable, Equatable {
  /// The ID for `aasa confirm`. It changes when the loss grows, so that nobody confirms more than
  /// they were shown.
  package let id: String
  /// The loss, what is served meanwhile, and how to end the hold.
  package let fault: Diagnostic

  package init(id: String, fault: Diagnostic) {
    self.id = id
    self.fault = fault
  }
}
