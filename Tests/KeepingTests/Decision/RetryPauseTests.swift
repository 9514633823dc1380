import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct RetryPauseTests {
  @Test func `a failed read is repeated with growing pauses, at least once a minute`() {
    let pauses = (1...9).map { retryPause(afterFailures: $0) }
    #expect(
      pauses == [1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
    #expect(retryPause(afterFailures: .max) == 60_000)
    // No caller counts that far, but the pause stays.
    #expect(retryPause(afterFailures: 0) == 1_000)
    #expect(retryPause(afterFailures: .min) == 1_000)
  }
}
