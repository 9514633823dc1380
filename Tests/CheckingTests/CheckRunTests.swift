import Testing

@testable import Checking

@Suite struct CheckRunTests {
  /// From good to bad: right, an old copy, not found out, wrong usage, wrong.
  private static let order: [Int32] = [0, 3, 4, 2, 1]

  @Test func `the worse of two exit codes counts, whichever came first`() {
    for (place, one) in Self.order.enumerated() {
      for (otherPlace, other) in Self.order.enumerated() {
        #expect(
          CheckRun.worse(one, other) == Self.order[max(place, otherPlace)], "\(one), \(other)")
      }
    }
  }
}
