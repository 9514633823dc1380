/// The remaining work that a file from somebody else may cause, in operations and bytes. A limit in
/// seconds would give the same file different results on different machines.
///
/// The code with the loop spends the budget. A reader needs no budget if its work grows only with a
/// size that is limited.
package struct Budget: Sendable, Equatable {
  /// The operations that are left; negative after too many.
  package private(set) var operations: Int
  /// The bytes that are left; negative after too many.
  package private(set) var bytes: Int
  /// The operations spent so far.
  package private(set) var spent = 0

  package init(operations: Int = .max, bytes: Int = .max) {
    self.operations = operations
    self.bytes = bytes
  }

  /// Whether more was spent than the budget allowed.
  package var isSpent: Bool { operations < 0 || bytes < 0 }

  @inline(__always)
  package mutating func spend(_ operations: Int, bytes: Int = 0) {
    self.operations -= operations
    self.bytes -= bytes
    spent += operations
  }

  /// Limits the remaining operations to `most`.
  package mutating func reduce(to most: Int) { operations = min(operations, most) }

  /// Returns a budget for one of several questions: at most `most` of the remaining operations.
  /// Afterwards, spend from this budget the operations that the question has cost.
  package func part(_ most: Int) -> Budget { Budget(operations: min(operations, most)) }
}
