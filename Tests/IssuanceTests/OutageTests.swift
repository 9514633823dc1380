import Testing

@testable import Issuance

/// What an outage of the first of two CAs costs.
@Suite struct OutageTests {
  private let minute: Int64 = 60_000

  @Test(arguments: [
    // Down, with answers and without any for half a minute; and one that takes no order.
    (Reply.fault(.noAnswer("down"), at: .account), Int64(1)),
    (.fault(.noAnswer("down"), at: .account), 30_000),
    (
      .fault(
        .refused(ProblemDocument(type: "serverInternal", detail: "", status: 500)), at: .order), 1
    ),
    (
      .fault(
        .refused(
          ProblemDocument(
            type: "rateLimited", detail: "too many new orders", status: 429, retryAfter: 7_200)),
        at: .order), 1
    ),
  ])
  func `a new host has its certificate within a minute when the first CA is down`(
    _ fault: Reply, _ time: Int64
  ) {
    var world = PlanWorld("x", "y")
    world.delay = time
    world.reply = { index, _, request in
      if index == 1 { return nil }
      if case .fault(_, at: .order) = fault {
        guard case .advance(let order, _) = request, order.url == nil else { return nil }
      }
      return fault
    }
    world.run(.hosts(["a.example"]), for: minute)
    #expect(world.plan.hosts["a.example"]?.certificate?.authority == "https://y.example/dir")
    // It goes back to the first when that answers.
    world.reply = { _, _, _ in nil }
    world.delay = 0
    world.run(.time, for: 130 * minute)
    world.run(.hosts(["a.example", "b.example"]), for: minute)
    #expect(world.plan.hosts["b.example"]?.certificate?.authority == "https://x.example/dir")
  }

  @Test func `a CA that waits for a person holds up no host that another CA serves`() {
    var world = PlanWorld("x", "y")
    world.reply = { index, _, request in
      guard index == 0, case .advance(let order, _) = request, order.url == nil else { return nil }
      let problem = ProblemDocument(type: "userActionRequired", detail: "new terms", status: 403)
      return .fault(.refused(problem), at: .order)
    }
    world.run(.hosts(["a.example"]), for: minute)
    #expect(world.plan.hosts["a.example"]?.certificate?.authority == "https://y.example/dir")
    #expect(world.told == ["I005"])
    // It is asked for nothing until the next day.
    world.forgetEffects()
    world.run(.hosts(["a.example", "b.example"]), for: 10 * minute)
    #expect(world.plan.hosts["b.example"]?.certificate?.authority == "https://y.example/dir")
    #expect(world.told.isEmpty)
  }

  @Test func `once a person has acted, the only CA is asked at once`() {
    var world = PlanWorld("x")
    let problem = ProblemDocument(type: "userActionRequired", detail: "new terms", status: 403)
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url == nil else { return nil }
      return .fault(.refused(problem), at: .order)
    }
    world.run(.hosts(["a.example", "b.example"]), for: 60 * minute)
    #expect(world.ordered.count <= 2 && world.issued.isEmpty)
    world.reply = { _, _, _ in nil }
    world.run(.requested("a.example"), for: minute)
    #expect(world.issued.map(\.host).contains("a.example"))
  }

  @Test func `a refusal is written down, so that a restart does not order again`() {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url == nil else { return nil }
      let problem = ProblemDocument(type: "rejectedIdentifier", detail: "no", status: 403)
      return .fault(.refused(problem), at: .order)
    }
    world.run(.hosts(["a.example"]), for: 30_000)
    let refusals = world.plan.authorities[0].limits.refused["a.example"]
    #expect(refusals?.count == 1 && refusals.map { $0.next > world.seconds } == true)
    let isWritten = world.effects.contains {
      if case .writeLimits(0) = $0.effect { true } else { false }
    }
    #expect(isWritten)
  }

  @Test func `a renewal with time left waits minutes for its CA`() {
    var world = PlanWorld("x", "y")
    world.run(.hosts(["a.example"]), for: minute)
    world.reply = { index, _, _ in index == 0 ? .fault(.noAnswer("down"), at: .order) : nil }
    world.run(.requested("a.example"), for: 2 * minute)
    #expect(world.issued.count == 1)
    world.reply = { _, _, _ in nil }
    world.run(.time, for: 20 * minute)
    #expect(world.plan.hosts["a.example"]?.certificate?.authority == "https://x.example/dir")
    #expect(world.issued.count == 2)
  }
}
