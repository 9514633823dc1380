import Testing

@testable import Hosting

@Suite struct RetryPauseTests {
  @Test func `a failed read is repeated with growing pauses, at least once a minute`() {
    let pauses = (1...9).map { RetryPause.milliseconds(afterFailures: $0) }
    #expect(
      pauses == [1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
    #expect(RetryPause.milliseconds(afterFailures: .max) == 60_000)
    // No caller counts that far, but the pause stays.
    #expect(RetryPause.milliseconds(afterFailures: 0) == 1_000)
    #expect(RetryPause.milliseconds(afterFailures: .min) == 1_000)
  }
}
