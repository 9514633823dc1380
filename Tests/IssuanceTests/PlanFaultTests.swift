import Settings
import Testing

@testable import Issuance

/// What follows when CAs, keys, clocks and files fail, by a plan without a CA.
@Suite struct PlanFaultTests {
  private let minute: Int64 = 60_000

  @Test func `a CA that is silent for minutes leaves its names to the next`() {
    var world = PlanWorld("x", "y")
    world.reply = { index, _, _ in index == 0 ? .fault(.noAnswer("down"), at: .account) : nil }
    world.run(.hosts(Set((1...5).map { "h\($0).example" })), for: 20 * minute)
    #expect(
      world.issued.count == 5,
      "\(world.issued) \(world.plan.hosts.waiting) \(world.plan.hosts.states.values)")
    #expect(world.told == ["I004"])
  }

  @Test func `a CA that answers nobody holds up none of the names at the other`() {
    var world = PlanWorld("x", "y")
    world.run(.hosts(["a.example"]), for: minute)
    // The first one goes silent with an order under way.
    world.reply = { index, _, _ in index == 0 ? .fault(.noAnswer("down"), at: .read) : nil }
    world.run(.requested("a.example"), for: 20 * minute)
    #expect(world.issued.count == 2)
  }

  @Test func `a failure after a CA has worked again counts as its first`() {
    var world = PlanWorld("x")
    var failures = 4
    world.reply = { _, _, request in
      guard failures > 0, request.finalizes else { return nil }
      failures -= 1
      return .fault(.noAnswer("down"), at: .finalize)
    }
    world.run(.hosts(["a.example"]), for: 10 * minute)
    #expect(world.issued.count == 1 && world.told == ["I004"])
    world.forgetEffects()
    failures = 1
    world.run(.requested("a.example"), for: minute)
    #expect(failures == 0 && world.issued.count == 1 && world.told.isEmpty)
  }

  @Test func `orders that fail at the same time hold up the CA for seconds only`() {
    var world = PlanWorld("x")
    var failed: Set<String> = []
    world.reply = { _, host, request in
      guard request.finalizes, failed.insert(host).inserted else { return nil }
      return .fault(.noAnswer("down"), at: .finalize)
    }
    world.run(.hosts(Set((1...8).map { "h\($0).example" })), for: minute / 2)
    #expect(failed.count == 8 && world.issued.count == 8, "\(world.issued)")
  }

  @Test func `an order that is not ready yet is taken up again in a moment`() {
    var world = PlanWorld("x")
    var refusals = 2
    world.reply = { _, _, request in
      guard refusals > 0, request.finalizes else { return nil }
      refusals -= 1
      let problem = ProblemDocument(type: "orderNotReady", detail: "wait", status: 403)
      return .fault(.refused(problem), at: .finalize)
    }
    world.run(.hosts(["a.example"]), for: 10_000)
    #expect(refusals == 0 && world.issued.count == 1 && world.ordered.count == 1)
    #expect(world.told.isEmpty)
  }

  @Test func `the CA hears that a response is there once it can see it, or never`() {
    var world = PlanWorld("x")
    var shown = 0
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url != nil, order.progress == nil,
        shown < 3
      else { return nil }
      shown += 1
      return .shown(wait: 20_000)
    }
    world.run(.hosts(["a.example"]), for: 50_000)
    #expect(shown == 3 && world.issued.isEmpty)
    world.run(.time, for: 15_000)
    #expect(world.issued.count == 1)
    // One that is never seen ends with its order.
    shown = .min
    world.forgetEffects()
    world.run(.hosts(["a.example", "b.example"]), for: 62 * minute)
    #expect(world.told == ["I006"] && world.issued.isEmpty, "\(world.told)")
  }

  @Test func `a CA whose orders are never ready is not asked every two seconds for ever`() {
    var world = PlanWorld("x")
    var requests = 0
    world.reply = { _, _, request in
      if case .advance = request { requests += 1 }
      guard request.finalizes else { return nil }
      let problem = ProblemDocument(type: "orderNotReady", detail: "wait", status: 403)
      return .fault(.refused(problem), at: .finalize)
    }
    world.run(.hosts(Set((1...8).map { "h\($0).example" })), for: 60 * minute)
    #expect(requests < 60 * 20 && !world.told.isEmpty, "\(requests) \(world.told)")
  }

  @Test func `an order that is processed for ever ends after an hour, after a silence too`() {
    var world = PlanWorld("x")
    var isSilent = true
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.progress == .ready else { return nil }
      defer { isSilent = false }
      return isSilent ? .fault(.noAnswer("down"), at: .read) : .progress(.ready, retryAfter: nil)
    }
    world.run(.hosts(["a.example"]), for: 90 * minute)
    #expect(world.ordered.count > 1 || world.told.contains("I005"), "\(world.told)")
    #expect(world.ordered.count > 1, "\(world.ordered)")
  }

  @Test func `an account that the CA has lost is not held against the name`() {
    var world = PlanWorld("x")
    var isLost = true
    world.reply = { _, _, request in
      guard isLost, case .advance = request else { return nil }
      isLost = false
      let problem = ProblemDocument(type: "accountDoesNotExist", detail: "gone", status: 400)
      return .fault(.refused(problem), at: .order)
    }
    world.run(.hosts(["a.example"]), for: 30_000)
    #expect(world.issued.count == 1, "\(world.told)")
    #expect(world.plan.authorities[0].limits.refused.isEmpty)
  }

  @Test(arguments: ["maintenance", "rateLimited"])
  func `a CA that takes nothing for hours leaves its names to the next`(type: String) {
    var world = PlanWorld("x", "y")
    let problem =
      type == "rateLimited"
      ? ProblemDocument(type: type, detail: "too many new orders", status: 429, retryAfter: 21_600)
      : ProblemDocument(type: type, detail: "down", status: 503, retryAfter: 21_600)
    world.reply = { index, _, request in
      guard index == 0, case .advance = request else { return nil }
      return .fault(.refused(problem), at: .order)
    }
    world.run(.hosts(Set((1...30).map { "h\($0).example" })), for: 30 * minute)
    #expect(
      world.issued.count >= (type == "rateLimited" ? 8 : 30),
      "\(world.issued.count) \(world.plan.hosts.states.values.filter { $0.certificate == nil })")
  }

  @Test func `a CA that says when it is back is not asked before, for any name`() {
    var world = PlanWorld("x")
    let problem = ProblemDocument(
      type: "serverInternal", detail: "maintenance", status: 503, retryAfter: 600)
    world.reply = { _, _, request in
      if case .advance = request { .fault(.refused(problem), at: .order) } else { nil }
    }
    world.run(.hosts(["a.example"]), for: 5_000)
    world.reply = { _, _, _ in nil }
    world.run(.hosts(["a.example", "b.example"]), for: 20 * minute)
    #expect(world.ordered.count { $0.time < 10 * minute } == 1 && world.issued.count == 2)
  }

  @Test func `what a CA refuses after another has taken over holds up nothing`() {
    var world = PlanWorld("x", "y")
    world.silence = { _ in 3_000 }
    world.run(.hosts(["a.example"]), for: 1_000)
    let problem = ProblemDocument(type: "unauthorized", detail: "no", status: 403)
    world.run(
      .replied(
        authority: 1, host: "a.example", .fault(.refused(problem), at: .account), world.facts),
      for: minute)
    #expect(world.checked.count == 1 && world.issued.count == 1 && world.told.isEmpty)
  }

  @Test func `an order that cannot be made counts against no limit but its own`() {
    var world = PlanWorld("letsencrypt")
    world.account = nil
    world.reply = { _, _, request in
      if case .account = request { .fault(.error500, at: .account) } else { nil }
    }
    world.run(.hosts(Set((1...8).map { "h\($0).example" })), for: 10 * minute)
    let budget = world.plan.authorities[0].limits.budget
    #expect(budget?.remaining(now: PlanWorld.start + world.now) == 270)
    // Each name keeps its place.
    #expect(world.checked.count == 8)
    // Said once for the CA, which is left alone.
    #expect(world.asked.count < 15 && world.told == ["I003"], "\(world.told)")
    world.account = "https://ca/account"
    world.reply = { _, _, _ in nil }
    world.run(.time, for: 10 * minute)
    #expect(world.issued.count == 8)
  }

  @Test func `an account that the CA wants bound is said once, and asked for ever more seldom`() {
    var world = PlanWorld("x")
    world.account = nil
    let problem = ProblemDocument(type: "externalAccountRequired", detail: "bind it", status: 400)
    world.reply = { _, _, request in
      if case .account = request { .fault(.refused(problem), at: .account) } else { nil }
    }
    world.run(.hosts(Set((1...30).map { "h\($0).example" })), for: 10 * minute)
    #expect(world.asked.count < 15 && world.told == ["I003"], "\(world.told)")
    // No name is to blame, after a restart either.
    #expect(world.plan.authorities[0].limits.refused.isEmpty)
  }

  @Test func `a change of the key that a CA refuses for good ends, with another account`() {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      if case .changeKey = request { .keyChanged(isLost: true) } else { nil }
    }
    world.run(.keyChange, for: 10_000)
    let ends = world.effects.contains {
      if case .keyChanged(isLast: true) = $0.effect { true } else { false }
    }
    #expect(ends && world.told == ["I011"])
    world.run(.hosts(["a.example"]), for: minute)
    #expect(world.issued.count == 1)
  }

  /// Its challenge would be answered with the other key.
  @Test func `the key is not changed while an order is open`() {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url != nil else { return nil }
      return .progress(.pending, retryAfter: nil)
    }
    func changes() -> [Int64] {
      world.asked.compactMap { if case .changeKey = $0.request { $0.time } else { nil } }
    }
    world.run(.hosts(["a.example"]), for: 1_000)
    world.run(.keyChange, for: minute)
    #expect(changes().isEmpty)
    world.reply = { _, _, _ in nil }
    world.run(.time, for: minute)
    let times = changes()
    #expect(times.count == 1 && world.issued.count == 1 && times[0] >= world.issued[0].time)
  }

  @Test func `a CA that does not take the new key holds back only its own orders`() {
    var world = PlanWorld("x", "y")
    world.reply = { index, _, request in
      guard index == 0, case .changeKey = request else { return nil }
      return .fault(.noAnswer("down"), at: .account)
    }
    world.run(.keyChange, for: 10 * minute)
    world.run(.hosts(["a.example"]), for: 10 * minute)
    #expect(world.issued.count == 1)
    #expect(world.told == ["I015"])
  }

  @Test func `an account that the CA does not know any more is made again`() {
    var world = PlanWorld("x")
    var isLost = true
    world.reply = { _, _, request in
      guard isLost, case .advance = request else { return nil }
      isLost = false
      return .accountUnknown
    }
    world.run(.hosts(["a.example"]), for: 5 * minute)
    #expect(world.issued.count == 1 && world.told == ["I011"])
  }

  @Test(arguments: ["https://ca/account", "https://ca/other"])
  func `an order names what it replaces, if that is of the same account`(account: String) {
    var world = PlanWorld("x")
    world.run(.hosts(["a.example"]), for: minute)
    world.forgetEffects()
    (world.account, world.plan.authorities[0].account) = (account, account)
    world.run(.requested("a.example"), for: minute)
    let orders = world.asked.compactMap { entry in
      if case .advance(let order, _) = entry.request, order.url == nil { order } else { nil }
    }
    #expect(orders.map(\.replaces) == [account == "https://ca/account" ? "a.b" : nil])
  }

  @Test func `while the clocks are days apart nothing is asked but the time, once a minute`() {
    var world = PlanWorld("x")
    world.ahead = 200_000
    world.run(.hosts(["a.example"]), for: 10 * minute)
    #expect(world.told == ["I012"])
    #expect((8...12).contains(world.asked.count), "\(world.asked.count)")
    world.ahead = 0
    world.run(.time, for: 2 * minute)
    #expect(world.issued.count == 1)
  }

  @Test func `an order for a name that is gone ends, and the name is not asked for again`() {
    var world = PlanWorld("x")
    world.run(.hosts(["a.example"]), for: 300)
    world.run(.hosts([]), for: 200 * 86_400_000)
    #expect(world.issued.count <= 1 && world.ordered.count <= 1)
    #expect(
      world.plan.hosts.waiting.isEmpty
        && world.plan.hosts.open(at: world.plan.authorities[0].authority).isEmpty)
  }

  @Test func `a name that needs an account is checked again when it is there`() {
    var world = PlanWorld("x")
    world.account = nil
    world.check = { _ in .needsAccount }
    world.reply = { _, _, request in
      if case .account = request { .fault(.noAnswer("down"), at: .account) } else { nil }
    }
    world.run(.hosts(["a.example"]), for: 5_000)
    #expect(world.checked.count == 1)
    world.account = "https://ca/account"
    world.reply = { _, _, _ in nil }
    world.check = { _ in .ready(.http) }
    world.run(.time, for: minute)
    #expect(world.issued.count == 1)
  }

  /// It may have ended well meanwhile.
  @Test func `an order of hours ago is read when a limit ends, before it is given up`() {
    var world = PlanWorld("x")
    world.plan.authorities[0].limits.freeze(.authority, until: world.seconds + 600)
    world.open("a.example", begun: world.seconds - 2 * 3_600)
    world.reply = { [file = world.certificate(0)] _, _, request in
      if case .advance = request { file.map(Reply.installed) } else { nil }
    }
    world.run(.hosts(["a.example"]), for: 15 * minute)
    #expect(world.issued.count == 1 && world.ordered.isEmpty)
    #expect(world.asked.allSatisfy { $0.time >= 10 * minute })
  }

  /// The order was made by the CA's clock; at first nobody knows that this machine's is ahead.
  @Test(arguments: [nil, IssuanceFailure.storage("No space left on device"), .noAnswer("down")])
  func `an order that is open goes on after a restart, though the clock is hours ahead`(
    fault: IssuanceFailure?
  ) {
    var world = PlanWorld("x")
    world.ahead = -5 * 3_600
    world.open("a.example", begun: world.seconds - 5 * 3_600)
    // The first question comes to nothing, before the CA is heard.
    var isFirst = true
    world.isHeard = fault == nil
    world.reply = { _, _, _ in
      defer { isFirst = false }
      return isFirst ? fault.map { .fault($0, at: .read) } : nil
    }
    world.run(.hosts(["a.example"]), for: 100)
    world.isHeard = true
    world.run(.time, for: minute)
    #expect(world.issued.count == 1 && world.ordered.isEmpty)
  }
}

extension PlanRequest {
  /// Whether the next request for the order is the one that finalizes it.
  fileprivate var finalizes: Bool {
    if case .advance(let order, _) = self { order.progress == .ready } else { false }
  }
}
