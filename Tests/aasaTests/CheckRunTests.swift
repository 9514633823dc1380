import Testing

@testable import aasa

@Suite struct CheckRunTests {
  @Test func `something wrong counts more than an old copy, whichever came first`() {
    let rows: [(Int32, Int32, Int32)] = [
      (0, 0, 0), (0, 1, 1), (0, 2, 2), (0, 3, 3), (1, 1, 1), (1, 2, 1), (1, 3, 1), (2, 3, 3),
      (3, 3, 3),
    ]
    for (one, other, expected) in rows {
      #expect(CheckRun.worse(one, other) == expected, "\(one), \(other)")
      #expect(CheckRun.worse(other, one) == expected, "\(other), \(one)")
    }
  }
}
