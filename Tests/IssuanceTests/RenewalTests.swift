import Testing

@testable import Issuance

/// When a certificate is asked for.
@Suite struct RenewalTests {
  private static let day: Int64 = 86_400

  @Test(arguments: [
    // Life in days, and the day of its renewal: a third left, or half.
    (90, 60), (45, 30), (12, 8), (10, 6), (9, 4), (6, 3), (1, 0),
  ])
  func `a certificate is renewed with a third of its life left, with half of a short one`(
    life: Int64, expected: Int64
  ) {
    let validity = Validity(notBefore: 1000, notAfter: 1000 + life * Self.day)
    #expect((renewalTime(validity) - 1000) / Self.day == expected)
  }

  @Test(
    arguments: [
      // Life and pause in seconds.
      (90 * 86_400, 9 * 86_400), (45 * 86_400, 388_800), (6 * 86_400, 51_840), (2 * 86_400, 43_200),
      (86_400, 43_200), (43_200, 21_600), (60, 30), (0, 0),
    ] as [(Int64, Int64)])
  func `after a success there is no other for twelve hours or a tenth of the life`(
    life: Int64, expected: Int64
  ) {
    #expect(minimumReissueInterval(lifetime: life) == expected)
  }

  /// Now is day 100.
  @Test(
    arguments: [
      // The certificate's first and last day, is it foreign, day of the last issue, forced, day due.
      (nil, false, nil, false, 100),
      (60...150, false, nil, false, 120),
      (80...170, false, nil, false, 140),
      // Of another CA: at once.
      (80...170, true, nil, false, 100),
      // Issued yesterday for ninety days: no other one for nine, while something is served.
      (20...110, false, 99, false, 108),
      (nil, false, 99, false, 100),
      (10...100, false, 99, false, 100),
      // A person may.
      (80...170, false, 99, true, 100),
    ] as [(ClosedRange<Int64>?, Bool, Int64?, Bool, Int64)])
  func `a certificate is asked for when it is due, and no sooner`(
    days: ClosedRange<Int64>?, isForeign: Bool, lastIssue: Int64?, isForced: Bool, due: Int64
  ) {
    let validity = days.map {
      Validity(notBefore: $0.lowerBound * Self.day, notAfter: $0.upperBound * Self.day)
    }
    let issues = [lastIssue].compactMap(\.self).map {
      PastIssue(time: $0 * Self.day, life: 90 * Self.day)
    }
    let found = dueTime(
      validity, isForeign: isForeign, issues: issues, isForced: isForced, now: 100 * Self.day)
    #expect(found == due * Self.day)
  }

  @Test(arguments: [
    // Certificates of a day, renewed each twelve hours; hours since the last, and hours to wait.
    (14, 36, 0), (14, 25, 0), (2, 1, 11), (14, 1, 11), (14, 13, 0),
  ])
  func `a short certificate that has expired is replaced at once, and a lost one soon`(
    count: Int64, hours: Int64, wait: Int64
  ) {
    let (hour, now) = (Int64(3_600), 1_000 * Self.day)
    let issues = (0..<count).map { index in
      PastIssue(time: now - (hours + 12 * index) * hour, life: Self.day)
    }
    #expect(dueTime(nil, issues: issues, now: now) == now + wait * hour)
  }

  @Test(
    arguments: [
      // CAs, failing for hours, days left of 90, which is asked.
      (1, nil, nil, 0), (3, nil, nil, 0), (3, 23, nil, 0), (3, 25, nil, 1), (3, 49, nil, 2),
      (3, 73, nil, 0), (1, 500, 1, 0), (2, 1, 20, 0), (2, 1, 14, 1),
    ] as [(Int, Int64?, Int64?, Int)])
  func `the next CA is asked after a day, or when little is left`(
    count: Int, hours: Int64?, left: Int64?, expected: Int
  ) {
    let now = 1000 * Self.day
    let validity = left.map {
      Validity(notBefore: now - (90 - $0) * Self.day, notAfter: now + $0 * Self.day)
    }
    #expect(
      authorityIndex(
        count: count, failingFor: hours.map { $0 * 3600 }, certificate: validity, now: now)
        == expected)
  }

  @Test(
    arguments: [
      (IssuanceFailure.noAnswer("x"), [2, 5, 15, 60, 600, 6_000, 86_400, 86_400]),
      (
        .refused(ProblemDocument(type: "serverInternal", detail: "", status: 500)),
        [2, 5, 15, 60, 600, 6_000, 86_400]
      ),
      (
        .refused(ProblemDocument(type: "serverInternal", detail: "", status: 503, retryAfter: 9)),
        [9, 9]
      ),
      (.refused(ProblemDocument(type: "rateLimited", detail: "", status: 429)), [3_600, 3_600]),
      (
        .refused(ProblemDocument(type: "rateLimited", detail: "", status: 429, retryAfter: 7)),
        [7, 7]
      ),
      (
        .refused(ProblemDocument(type: "unauthorized", detail: "", status: 403)),
        [60, 600, 6_000, 86_400]
      ),
      (
        .refused(ProblemDocument(type: "userActionRequired", detail: "", status: 403)),
        [86_400, 86_400]
      ),
      (.storage("x"), [5, 15, 60, 300, 300]), (.clock(seconds: 90_000), [5, 5]),
    ] as [(IssuanceFailure, [Int64])])
  func `the pause after a failure grows as the CAs ask`(failure: IssuanceFailure, pauses: [Int64]) {
    let found = pauses.indices.map { pause(after: failure, failures: $0 + 1) }
    #expect(found == pauses)
  }

  @Test func `the CA's window goes before our own reckoning, and binds one certificate`() throws {
    let validity = Validity(notBefore: 0, notAfter: 90 * Self.day)
    let now = 10 * Self.day
    func due(_ start: Int64, _ end: Int64, _ issues: [PastIssue] = []) -> Int64 {
      let window = RenewalWindow(start: start, end: end, serial: "0a")
      return dueTime(validity, window: window, issues: issues, now: now)
    }
    let window = try #require(
      RenewalWindow(start: 20 * Self.day, end: 22 * Self.day, serial: "0a"))
    let found = due(20 * Self.day, 22 * Self.day)
    #expect((20 * Self.day..<22 * Self.day).contains(found) && found == window.moment)
    // Another one for another certificate.
    let moments = (0..<100).compactMap {
      RenewalWindow(start: 0, end: 1000, serial: String($0, radix: 16))?.moment
    }
    #expect(Set(moments).count > 80 && moments.allSatisfy { (0..<1000).contains($0) })
    // In the past: at once, also soon after an issue, but not after two.
    let issues = [9, 8].map { PastIssue(time: $0 * Self.day, life: 90 * Self.day) }
    #expect(due(0, 1) <= now)
    #expect(due(0, 1, [issues[0]]) <= now)
    #expect(due(0, 1, issues) == 17 * Self.day)
    // Beyond the end of the certificate.
    #expect(due(100 * Self.day, 101 * Self.day) == 89 * Self.day)
    #expect(RenewalWindow(start: 2, end: 2, serial: "0a") == nil)
  }

  @Test func `orders are counted before the CA counts them`() {
    var budget = OrderBudget(capacity: 3, intervalMilliseconds: 100)
    #expect(budget.remaining(now: 0) == 3 && budget.nextTime(now: 0) == 0)
    for _ in 0..<3 { budget.spend(now: 0) }
    #expect(budget.remaining(now: 0) == 0 && budget.nextTime(now: 0) == 100)
    #expect(budget.remaining(now: 99) == 0 && budget.remaining(now: 100) == 1)
    budget.spend(now: 100)
    #expect(budget.nextTime(now: 100) == 200)
    #expect(budget.remaining(now: 400) == 3 && budget.remaining(now: 1_000_000) == 3)
    // Never more than the capacity and one for each interval, however it is asked.
    var (taken, now) = (0, 0 as Int64)
    budget = OrderBudget(capacity: 3, intervalMilliseconds: 100)
    while now < 10_000 {
      if budget.nextTime(now: now) <= now {
        budget.spend(now: now)
        taken += 1
      }
      now += 7
    }
    #expect((95...103).contains(taken))
  }
}
