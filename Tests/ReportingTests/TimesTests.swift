import Testing

@testable import Reporting

@Suite struct TimesTests {
  @Test(
    arguments: [
      (0, "1970-01-01 00:00 UTC"), (86_399, "1970-01-01 23:59 UTC"),
      (951_782_400, "2000-02-29 00:00 UTC"), (1_709_251_199, "2024-02-29 23:59 UTC"),
      (1_767_225_600, "2026-01-01 00:00 UTC"), (4_102_444_799, "2099-12-31 23:59 UTC"),
      // Never from a server of ours.
      (-1, "1970-01-01 00:00 UTC"),
    ] as [(Int64, String)])
  func `a date`(time: Int64, text: String) {
    #expect(Times.date(time) == text)
  }

  @Test(
    arguments: [
      (0, "0 s"), (119, "119 s"), (120, "2 min"), (7_199, "119 min"), (7_200, "2 h"),
      (172_799, "47 h"), (172_800, "2 days"), (31_536_000, "365 days"), (-5, "0 s"),
    ] as [(Int64, String)])
  func `a length has one number`(seconds: Int64, text: String) {
    #expect(Times.length(seconds) == text)
  }

  @Test func `before and after`() {
    let times = Times(now: 1_000_000)
    #expect(times.ago(1_000_000) == "just now" && times.ago(1_000_005) == "just now")
    #expect(times.ago(999_400) == "10 min ago")
    #expect(times.distance(1_000_600) == "in 10 min" && times.distance(999_400) == "10 min ago")
  }
}
