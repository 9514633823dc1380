import Testing

@testable import Issuance

/// When a CA is asked for the renewal windows of certificates, and when they are followed.
@Suite struct WindowPlanTests {
  private let minute: Int64 = 60_000

  @Test func `a window is asked for an hour after the issue, then when the CA says`() {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      guard case .window = request else { return nil }
      return .window(nil, retryAfter: 21_600)
    }
    world.run(.hosts(["a.example"]), for: 24 * 60 * minute)
    let times = world.asked.compactMap { entry in
      if case .window = entry.request { entry.time / minute } else { nil }
    }
    // It may be considered a little later, and never sooner.
    #expect(times.count == 4 && times[0] >= 60 && times[1] >= times[0] + 360, "\(times)")
  }

  @Test func `a window that is not to be had is asked for each hour, and holds nothing up`() {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      if case .window = request { .fault(.noAnswer("down"), at: .window) } else { nil }
    }
    world.run(.hosts(["a.example"]), for: 5 * 60 * minute - 1)
    let count = world.asked.count { if case .window = $0.request { true } else { false } }
    #expect((3...4).contains(count) && world.told.isEmpty, "\(count)")
    #expect(world.plan.hosts["a.example"]?.failure == nil)
  }

  /// At least a minute and at most a day apart, whatever the CA says.
  @Test(arguments: [(1, 1...62), (1_000_000, 86_400...86_500)] as [(Int64, ClosedRange<Int64>)])
  func `a window of another certificate is not followed, and is asked for within bounds`(
    wait: Int64, gap: ClosedRange<Int64>
  ) {
    var world = PlanWorld("x")
    world.reply = { [now = world.seconds] _, _, request in
      guard case .window = request else { return nil }
      return .window(RenewalWindow(start: now, end: now + 10, serial: "other"), retryAfter: wait)
    }
    world.run(.hosts(["a.example"]), for: 3 * 86_400_000)
    let times = world.asked.compactMap { entry in
      if case .window = entry.request { entry.time / 1_000 } else { nil }
    }
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(!gaps.isEmpty && gaps.allSatisfy { $0 >= 60 && gap.contains($0) }, "\(gaps.prefix(9))")
    #expect(world.issued.count == 1 && world.plan.hosts["a.example"]?.window == nil)
  }

  @Test func `the certificate of a CA that is no longer set is replaced at once`() {
    var world = PlanWorld("x", "y")
    var state = HostState()
    state.certificate = world.certificate(1)
    world.plan.hosts["a.example"] = state
    world.plan.authorities.removeLast()
    world.run(.hosts(["a.example"]), for: minute)
    #expect(world.plan.hosts["a.example"]?.certificate?.authority == "https://x.example/dir")
  }

  @Test func `what the files know is not asked after a restart`() {
    var world = PlanWorld("x")
    let names = (1...100).map { "h\($0).example" }
    for name in names {
      var state = HostState()
      state.certificate = world.certificate(0)
      state.nextWindow = world.seconds + 3_600
      world.plan.hosts[name] = state
    }
    world.run(.hosts(Set(names)), for: 50 * minute)
    #expect(world.asked.isEmpty)
  }

  @Test func `a window that is due is asked for after a restart`() {
    var world = PlanWorld("x")
    var state = HostState()
    state.certificate = world.certificate(0)
    state.nextWindow = world.seconds - 1
    world.plan.hosts["a.example"] = state
    world.run(.hosts(["a.example"]), for: 1_000)
    #expect(world.asked.count == 1 && world.asked.allSatisfy { $0.host == "a.example" })
  }

  @Test func `two incidents of the CA within days are followed, and no third`() throws {
    var world = PlanWorld("x")
    world.run(.hosts(["a.example"]), for: minute)
    world.run(.time, for: 10 * 86_400_000)
    let serial = world.certificate(0)?.serial
    world.reply = { _, _, request in
      guard case .window = request, let serial else { return nil }
      return .window(RenewalWindow(start: 1, end: 2, serial: serial), retryAfter: nil)
    }
    world.forgetEffects()
    world.run(.time, for: 9 * 86_400_000)
    #expect(world.issued.count == 2, "\(world.issued)")
  }

  @Test func `a window that moves to now is followed at once`() throws {
    var world = PlanWorld("x")
    world.run(.hosts(["a.example"]), for: minute)
    world.run(.time, for: 10 * 86_400_000)
    world.reply = { [now = world.seconds, serial = world.certificate(0)?.serial] _, _, request in
      guard case .window = request, let serial else { return nil }
      return .window(RenewalWindow(start: now - 10, end: now, serial: serial), retryAfter: nil)
    }
    world.forgetEffects()
    world.run(.time, for: 13 * 3_600_000)
    #expect(world.issued.first.map { $0.time < 10 * 86_400_000 + 13 * 3_600_000 } == true)
    // The world says so of each, whose successor is followed once more.
    #expect(world.issued.count == 2)
  }
}
