/// The remaining work that an untrusted file may cause, in operations and bytes. A limit in seconds
/// would give the same file different results on different machines.
///
/// Code that contains a loop spends the cost of the loop from the budget. A reader of limited input
/// needs no budget if its work depends only on the size of the input.
package struct Budget: Sendable, Equatable {
  /// The operations that are left; negative if too many were spent.
  package private(set) var operations: Int
  /// The bytes that are left; negative if too many were spent.
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

  /// Returns a separate budget for a part of the work: at most `most` of the remaining operations.
  /// After that part, the caller must spend the same operations from this budget.
  package func part(_ most: Int) -> Budget { Budget(operations: min(operations, most)) }
}
