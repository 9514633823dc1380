import HTTP
import Testing

@testable import Issuance

/// What a CA's limits hold back, and for how long.
@Suite struct LimitTests {
  @Test(
    arguments: [
      // As Let's Encrypt writes them.
      (
        "too many new orders (300) from this account in the last 3h0m0s, retry after 2026-11-22",
        true, .orders
      ),
      (
        "too many certificates (50) already issued for \"example.com\" in the last 168h0m0s", true,
        .domain("example.com")
      ),
      (
        "too many certificates (50) already issued for \"a.example.com\" in the last 168h0m0s",
        true,
        .domain("a.example.com")
      ),
      (
        "too many certificates (5) already issued for this exact set of identifiers in the last"
          + " 168h0m0s: see https://letsencrypt.org/docs/rate-limits/", true,
        .host("a.example.com")
      ),
      (
        "too many failed authorizations (5) for \"a.example.com\" in the last 1h0m0s", true,
        .host("a.example.com")
      ),
      (
        "Your account is temporarily prevented from requesting certificates for a.example.com and"
          + " possibly others. Please visit: https://portal.letsencrypt.org/x", true,
        .host("a.example.com")
      ),
      // Another name, a part of a name, nothing at all: everything waits.
      ("too many failed authorizations (5) for \"b.example.com\"", true, .authority),
      ("xample.com ample.com", true, .authority),
      ("too many new registrations (10) from this IP address", true, .authority),
      ("", true, .authority),
      // What was asked was not an order.
      ("too many failed authorizations (5) for \"a.example.com\"", false, .authority),
    ] as [(String, Bool, LimitScope)])
  func `a limit holds back what the CA names, and everything when it names nothing`(
    detail: String, isOrder: Bool, expected: LimitScope
  ) {
    let problem = ProblemDocument(type: "rateLimited", detail: detail, status: 429)
    #expect(limitScope(of: problem, host: "a.example.com", isOrder: isOrder) == expected)
  }

  @Test func `a CA that does not answer is left alone, longer and longer`() {
    #expect((0...7).map(rest(afterSilence:)) == [0, 0, 0, 5, 15, 60, 300, 300])
  }

  @Test func `only what is frozen waits`() {
    var limits = RateLimits(Authority(name: "x", url: "https://ca.example/dir"))
    limits.freeze(.domain("example.com"), until: 200)
    limits.freeze(.host("a.example.net"), until: 300)
    func wait(_ host: String, isNew: Bool = true) -> Int64 {
      limits.nextTime(for: host, isNew: isNew, now: 100) - 100
    }
    #expect(wait("example.com") == 100 && wait("b.example.com") == 100)
    #expect(wait("badexample.com") == 0 && wait("example.net") == 0)
    #expect(wait("a.example.net") == 200 && wait("b.a.example.net") == 0)
    // An order under way goes on.
    #expect(wait("example.com", isNew: false) == 0)
    limits.freeze(.orders, until: 150)
    #expect(wait("other.example") == 50 && wait("other.example", isNew: false) == 0)
    limits.freeze(.authority, until: 400)
    #expect(wait("other.example", isNew: false) == 300)
    #expect(limits.nextTime(for: "other.example", isNew: true, now: 500) == 500)
  }

  @Test func `limits are read as they were written, without what is over`() throws {
    let authority = Authority(name: "letsencrypt", url: "https://ca.example/dir")
    var limits = RateLimits(authority)
    limits.budget?.spend(now: 5_000_000)
    limits.freeze(.authority, until: 50)
    for scope in [LimitScope.orders, .domain("example.com"), .host("a.example.com")] {
      limits.freeze(scope, until: 7_777)
    }
    limits.refused["b.example.com"] = RateLimits.Refusals(count: 3, since: 1_000, next: 9_000)
    var read = RateLimits(authority)
    let text = limits.text(now: 100).replacing(
      #""frozen":{"#, with: #""frozen":{"":1,"sea":1,"orders":-1,"#)
    try read.read(#require(stateObject(Array(text.utf8))))
    var expected = RateLimits(authority)
    expected.budget = limits.budget
    for scope in [LimitScope.orders, .domain("example.com"), .host("a.example.com")] {
      expected.freeze(scope, until: 7_777)
    }
    expected.refused = limits.refused
    #expect(read == expected)
    #expect(read.budget?.remaining(now: 5_000_000) == 269)
    // A host that nobody asks for any more.
    #expect(!limits.text(now: 9_000 + 31 * 86_400).contains("b.example.com"))
  }

  @Test func `a clock that was wrong holds nothing back for years`() throws {
    var limits = RateLimits(Authority(name: "letsencrypt", url: "https://ca.example/dir"))
    limits.freeze(.authority, until: 4_000_000_000)
    for _ in 0..<300 { limits.budget?.spend(now: 4_000_000_000_000) }
    func wait(now: Int64) -> Int64 {
      limits.settle(now: now * 1_000)
      return limits.nextTime(for: "a.example", isNew: true, now: now) - now
    }
    // However often it is checked, time passes.
    #expect(wait(now: 1_000) == 7 * 86_400 && wait(now: 1_100) == 7 * 86_400 - 100)
    #expect(wait(now: 1_000 + 7 * 86_400) == 0)
    // Nor do the orders that were counted then.
    let now: Int64 = (1_000 + 7 * 86_400) * 1_000
    #expect(limits.budget?.nextTime(now: now) == now)
    var budget = try #require(
      OrderBudget(Authority(name: "letsencrypt", url: "https://ca.example/dir")))
    budget.full = 4_000_000_000_000
    budget.settle(now: 1_000_000)
    #expect(budget.remaining(now: 1_000_000) == 0)
    #expect(budget.nextTime(now: 1_000_000) == 1_040_000)
    budget.settle(now: 1_040_000)
    #expect(budget.remaining(now: 1_040_000) == 1)
  }

  /// Both forms of RFC 9110, at least a second and at most a week.
  @Test(
    arguments: [
      ("120", 120), ("0", 1), ("-5", nil), ("99999999999999999999", nil), ("soon", nil),
      ("1000000000", 604_800), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
      ("Sun, 06 Nov 1994 08:49:00 GMT", 1), ("Sun, 06 Nov 2033 08:49:37 GMT", 604_800),
    ] as [(String, Int64?)])
  func `Retry-After is read as seconds and as a date`(text: String, seconds: Int64?) throws {
    var reader = ResponseReader(isHead: true)
    let head = Array("HTTP/1.1 503 x\r\nRetry-After: \(text)\r\n\r\n".utf8)
    _ = try reader.take(head.span)
    #expect(try #require(reader.head).retryAfter(now: 784_111_777) == seconds)
  }

  @Test func `the file of a host that goes while a limit holds its renewal up is removed too`() {
    let day: Int64 = 86_400_000
    var world = PlanWorld("x")
    world.run(.hosts(["a.example"]), for: 60_000)
    world.plan.authorities[0].limits.freeze(.orders, until: world.seconds + 70 * 86_400)
    world.run(.time, for: 62 * day)
    #expect(world.plan.hosts.waiting.contains("a.example"))
    world.run(.hosts([]), for: day)
    for _ in 0..<40 { world.run(.time, for: day) }
    let isRemoved = world.effects.contains {
      if case .remove("a.example") = $0.effect { true } else { false }
    }
    #expect(isRemoved)
  }

  @Test func `metrics say what is frozen, and until when`() {
    var limits = RateLimits(Authority(name: "x", url: "https://ca.example/dir"))
    limits.freeze(.host("a.example"), until: 300)
    limits.freeze(.host("b.example"), until: 400)
    limits.freeze(.orders, until: 200)
    #expect(limits.ends(now: 100) == ["host": 400, "orders": 200])
    #expect(limits.ends(now: 200) == ["host": 400] && limits.ends(now: 400).isEmpty)
    limits.settle(now: 300_000)
    #expect(
      limits.text(now: 0) == #"{"version":1,"frozen":{"host b.example":400},"refused":{}}"# + "\n")
  }

  /// Let's Encrypt: 300 new orders in three hours, one more every 36 seconds.
  @Test(arguments: [1, 7, 900])
  func `5,000 orders never meet the CA's limit, whenever the server is started again`(
    ordersBetweenStarts: Int
  ) throws {
    let authority = Authority(name: "letsencrypt", url: "https://ca.example/dir")
    var limits = RateLimits(authority)
    // The CA's own bucket, in milliseconds.
    let (capacity, interval): (Int64, Int64) = (300, 36_000)
    var (full, now): (Int64, Int64) = (0, 1_800_000_000_000)
    let start = now
    for count in 1...5_000 {
      let budget = try #require(limits.budget)
      now = budget.nextTime(now: now)
      limits.budget?.spend(now: now)
      full = max(full, now) + interval
      if full - now > capacity * interval { Issue.record("order \(count) is refused") }
      if count % ordersBetweenStarts == 0 {
        let text = limits.text(now: now / 1_000)
        limits = RateLimits(authority)
        try limits.read(#require(stateObject(Array(text.utf8))))
        limits.settle(now: now)
      }
      // The time that an order takes at the least.
      now += 100
    }
    // Two days and a few hours.
    #expect((now - start) / 3_600_000 == 52)
  }
}
