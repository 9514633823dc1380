/// The remaining work that an untrusted file may cause, in operations and bytes. There is no limit
/// in seconds, because the same file would then give different results on different machines.
///
/// Code with a loop subtracts the cost of the loop from the budget. If the size of the input is
/// limited and the work depends only on this size, no budget is needed.
package struct Budget: Sendable, Equatable {
  /// The number of remaining operations; negative if more operations were spent than the budget
  /// allowed.
  package private(set) var operations: Int
  /// The number of remaining bytes; negative if more bytes were spent than the budget allowed.
  package private(set) var bytes: Int
  /// The operations spent so far.
  package private(set) var spent = 0

  package init(operations: Int = .max, bytes: Int = .max) {
    self.operations = operations
    self.bytes = bytes
  }

  /// Whether more operations or bytes were spent than the budget allowed.
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
  /// When that part is done, the caller must also subtract its operations from this budget.
  package func part(_ most: Int) -> Budget { Budget(operations: min(operations, most)) }
}
