/// How much work a file that somebody else wrote can still cause, in operations and bytes. Seconds
/// would give the same file different results on different machines.
///
/// It is spent where the loop is. A reader whose work grows only with a size that is limited needs
/// no other budget.
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

  /// Whether more was spent than there was.
  package var isSpent: Bool { operations < 0 || bytes < 0 }

  @inline(__always)
  package mutating func spend(_ operations: Int, bytes: Int = 0) {
    self.operations -= operations
    self.bytes -= bytes
    spent += operations
  }

  /// Leaves at most so many operations.
  package mutating func reduce(to most: Int) { operations = min(operations, most) }

  /// A budget for one of several questions: at most so many of the remaining operations.
  /// Afterwards, spend here what the part spent.
  package func part(_ most: Int) -> Budget { Budget(operations: min(operations, most)) }
}
