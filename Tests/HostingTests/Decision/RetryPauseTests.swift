import Testing

@testable import Hosting

@Suite struct RetryPauseTests {
  @Test func `what cannot be read is tried again ever less often, and each minute at least`() {
    let pauses = (1...9).map { RetryPause.milliseconds(afterFailures: $0) }
    #expect(
      pauses == [1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
    #expect(RetryPause.milliseconds(afterFailures: .max) == 60_000)
    // Nobody counts so, and it waits all the same.
    #expect(RetryPause.milliseconds(afterFailures: 0) == 1_000)
    #expect(RetryPause.milliseconds(afterFailures: .min) == 1_000)
  }
}
