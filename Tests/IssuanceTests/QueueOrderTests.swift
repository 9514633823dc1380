import Testing

@testable import Issuance

/// Who goes first, and how many orders there are.
@Suite struct QueueOrderTests {
  private let minute: Int64 = 60_000

  private func spend(_ count: Int, _ world: inout PlanWorld) {
    for _ in 0..<count { world.plan.authorities[0].limits.budget?.spend(now: PlanWorld.start) }
  }

  @Test func `names that have never led here come after one that has, however long they wait`() {
    var world = PlanWorld("letsencrypt")
    var refusals = 0
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url == nil, refusals == 0 else {
        return nil
      }
      refusals += 1
      let problem = ProblemDocument(type: "rejectedIdentifier", detail: "not now", status: 403)
      return .fault(.refused(problem), at: .order)
    }
    // It leads here, and the CA refuses it. Until its next attempt the limit is used up.
    world.run(.hosts(["known.example"]), for: 10_000)
    #expect(refusals == 1 && world.issued.isEmpty)
    spend(285, &world)
    world.forgetEffects()
    // More than are checked at one time.
    let new = Set((1...40).map { "new\($0).example" })
    world.run(.hosts(new.union(["known.example"])), for: 20 * minute)
    #expect(world.checked.first?.host == "known.example")
    #expect(world.ordered.first?.host == "known.example" && world.ordered.count > 1)
  }

  @Test func `behind 2,000 names, what clients and people ask for is among the next six`() {
    var world = PlanWorld("letsencrypt")
    world.run(.hosts(["old.example"]), for: minute)
    spend(270, &world)
    let hosts = Set((1...2_000).map { "h\($0).example" })
    world.run(.hosts(hosts.union(["old.example"])), for: 20 * minute)
    // Many are checked already, and wait for their orders.
    #expect((20...40).contains(world.plan.hosts.checked.count), "\(world.plan.hosts.checked.count)")
    world.forgetEffects()
    let new = hosts.union(["old.example", "new.example"])
    world.run(.hosts(new), for: 1_000)
    world.run(.requested("old.example"), for: 1_000)
    world.run(.askedFor("new.example"), for: 5 * minute)
    let next = world.ordered.prefix(6).map(\.host)
    #expect(next.contains("old.example") && next.contains("new.example"), "\(world.ordered)")
    // The pace is that of the CA's limit.
    #expect((7...9).contains(world.ordered.count), "\(world.ordered.count)")
  }

  @Test(arguments: [true, false])
  func `behind 500 renewals, first certificates that clients ask for are among the next six`(
    isEndangered: Bool
  ) {
    var world = PlanWorld("letsencrypt")
    let now = world.seconds
    let old = (1...500).map { "old\($0).example" }
    for host in old {
      var state = HostState()
      state.certificate = world.certificate(0)
      state.certificate?.validity = Validity(
        notBefore: now - 70 * 86_400, notAfter: now + (isEndangered ? 5 : 20) * 86_400)
      state.nextWindow = .max
      world.plan.hosts[host] = state
    }
    spend(270, &world)
    world.run(.hosts(Set(old)), for: 20 * minute)
    #expect(world.ordered.count > 20 && world.plan.hosts.waiting.count > 400)
    world.forgetEffects()
    world.run(.hosts(Set(old + ["a.example", "b.example", "c.example"])), for: 1_000)
    for host in ["a.example", "b.example"] { world.run(.askedFor(host), for: 1_000) }
    world.run(.requested("old500.example"), for: 5 * minute)
    // The one that nobody asks for waits.
    let next = Set(world.ordered.prefix(6).map(\.host))
    #expect(next.isSuperset(of: ["a.example", "b.example", "old500.example"]), "\(next)")
    #expect(!world.ordered.contains { $0.host == "c.example" })
    #expect((7...9).contains(world.ordered.count), "\(world.ordered.count)")
  }

  @Test func `among equals the one that has waited longest comes first, whatever its name`() {
    var world = PlanWorld("letsencrypt")
    spend(270, &world)
    let names = ["m", "z", "c", "a", "x", "f", "q", "b", "y", "d"].map { "\($0).example" }
    var hosts: Set<String> = []
    for name in names {
      hosts.insert(name)
      world.run(.hosts(hosts), for: 1_000)
    }
    #expect(world.ordered.isEmpty)
    let line = world.plan.queue(PlanWorld.moment(world.now)).map(\.host)
    #expect(line == names)
    world.run(.time, for: 10 * minute)
    #expect(world.ordered.map(\.host) == names, "\(world.ordered)")
  }

  @Test func `a CA that lets every order wait has 64 open ones at most, and then the others`() {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url != nil else { return nil }
      return .progress(.processing, retryAfter: 120)
    }
    let hosts = Set((1...100).map { "h\($0).example" })
    world.run(.hosts(hosts), for: 10 * minute)
    #expect(world.ordered.count == 64, "\(world.ordered.count)")
    world.reply = { _, _, _ in nil }
    world.run(.time, for: 30 * minute)
    #expect(Set(world.issued.map(\.host)) == hosts && world.ordered.count == 100)
  }
}
