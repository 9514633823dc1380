import Posix
import Settings
import TestRunning
import Testing

@testable import Issuance

/// What the issuer decides, by a plan without a CA and without waiting.
@Suite struct HostPlanTests {
  private let minute: Int64 = 60_000
  private let day: Int64 = 86_400_000

  private func hosts(_ count: Int) -> Set<String> { Set((1...count).map { "h\($0).example" }) }

  @Test func `a host gets a certificate with at most eight turns at the CA`() {
    var world = PlanWorld("x")
    world.run(.hosts(["a.example"]), for: minute)
    #expect(world.issued.map(\.host) == ["a.example"] && world.asked.count <= 8)
  }

  @Test func `certificates are renewed for years, in time and not too often`() {
    var world = PlanWorld("x")
    world.run(.hosts(["a.example"]), for: 730 * day)
    let days = world.issued.map { $0.time / day }
    #expect(days.count == 13 && days[1] == 60 && days[12] == 720, "\(days)")
    world = PlanWorld("x")
    world.life = 6
    world.run(.hosts(["a.example"]), for: 31 * day)
    #expect(world.issued.count == 11, "\(world.issued.map { $0.time / day })")
  }

  /// What fails only after the order was made. The step is the one that the CA's answer belongs to.
  @Test(
    arguments: [
      (Step.finalize, IssuanceFailure.error500), (.read, .error500),
      (.challenge, .noAnswer("HTML")),
      (.certificate, .noAnswer("HTML")), (.certificate, .unfit("what the CA gave is none")),
    ])
  func `a CA that fails late is asked at most 20 times a minute, said once, and not for ever`(
    step: Step, fault: IssuanceFailure
  ) {
    var world = PlanWorld("x")
    let stuck = hosts(8)
    world.reply = { _, host, request in
      guard stuck.contains(host), case .advance(let order, _) = request, order.url != nil else {
        return nil
      }
      return .fault(fault, at: step)
    }
    world.run(.hosts(stuck), for: 10 * minute)
    let times = world.asked.map(\.time).filter { $0 > 25_000 }
    let busiest = times.map { start in times.count { $0 >= start && $0 < start + minute } }.max()
    #expect((busiest ?? 0) <= 20, "\(String(describing: busiest))")
    #expect(!world.told.isEmpty && world.told.count <= (fault.isTransient ? 1 : 8))
    // Another name at the same CA is not held up.
    world.forgetEffects()
    world.run(.hosts(stuck.union(["ninth.example"])), for: minute)
    let taken = world.issued.first { $0.host == "ninth.example" }.map { $0.time - 10 * minute }
    #expect(taken.map { $0 < 10_000 } == true, "\(String(describing: taken))")
    // Each order is given up an hour after it began, and another one waits its time.
    if fault.kind == .noAnswer { return }
    world.forgetEffects()
    world.run(.time, for: day)
    let most = stuck.map { host in world.ordered.count { $0.host == host } }.max() ?? 0
    #expect(most <= 6, "\(most)")
  }

  /// A turn with an order costs the CA two requests: it reads the order, and takes the step. After an
  /// answer that another server gave there is no nonce, which costs one more.
  @Test(
    arguments: [
      (nil, .fault(.error500, at: .challenge)), (nil, .fault(.noAnswer("HTML"), at: .challenge)),
      (.ready, .fault(.error500, at: .finalize)),
      (.ready, .fault(.noAnswer("HTML"), at: .finalize)),
      (.valid, .fault(.error500, at: .certificate)),
      (.valid, .fault(.unfit("no certificate"), at: .certificate)),
      (.valid, .failed(.unfit("for another key"), life: 7_776_000)),
    ] as [(Progress?, Reply)])
  func `a step that fails for good costs at most 20 requests a minute, for days`(
    stage: Progress?, failure: Reply
  ) {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url != nil else { return nil }
      return order.progress == stage ? failure : nil
    }
    world.run(.hosts(hosts(8)), for: 3 * day)
    let costs = world.asked.map { entry in
      guard case .advance(let order, _) = entry.request, order.url != nil else { return 1 }
      return order.progress == stage ? 3 : 2
    }
    let turns = zip(world.asked.map(\.time), costs).filter { $0.0 > 25_000 }
    let busiest = turns.map { start, _ in
      turns.filter { $0.0 >= start && $0.0 < start + minute }.map(\.1).reduce(0, +)
    }.max()
    #expect(busiest.map { (1...20).contains($0) } == true, "\(String(describing: busiest))")
  }

  @Test func `a limit with the CA's own words holds back what it names, and its request is kept`() {
    var world = PlanWorld("x")
    var refusals = 0
    world.run(.hosts(["a.example", "b.example"]), for: minute)
    world.forgetEffects()
    world.reply = { _, host, request in
      guard host == "a.example", case .advance(let order, _) = request, order.url == nil else {
        return nil
      }
      refusals += 1
      if refusals > 1 { return nil }
      let detail = "too many failed authorizations (5) for \"a.example\" in the last 1h0m0s"
      return .fault(
        .refused(
          ProblemDocument(type: "rateLimited", detail: detail, status: 429, retryAfter: 7_200)),
        at: .order)
    }
    world.run(.requested("a.example"), for: minute)
    #expect(world.plan.hosts["a.example"]?.isRequested == true)
    world.run(.requested("b.example"), for: minute)
    #expect(world.issued.map(\.host) == ["b.example"])
    world.run(.time, for: 3 * 60 * minute)
    #expect(world.issued.map(\.host) == ["b.example", "a.example"] && refusals == 2)
    #expect(world.issued[1].time > 7_200_000)
  }

  @Test func `eight orders are under way at one time, and only the next names are checked`() {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url != nil else { return nil }
      return .progress(.pending, retryAfter: nil)
    }
    world.run(.hosts(hosts(200)), for: 5_000)
    #expect(world.plan.hosts.open(at: world.plan.authorities[0].authority).count == 8)
    #expect((9...100).contains(world.checked.count), "\(world.checked.count)")
  }

  @Test func `many waiting hosts do not make the plan slower for each`() {
    var world = PlanWorld("x")
    let count = rounds(1_000, stress: 20_000)
    let began = Clock.threadMicroseconds()
    world.run(.hosts(hosts(count)), for: 120 * minute)
    let seconds = (Clock.threadMicroseconds() - began) / 1_000_000
    #expect(world.issued.count == count)
    // Looking at all hosts for each of them takes minutes.
    #expect(seconds < count / 100, "\(seconds) s")
  }

  @Test func `a host whose certificate is about to expire moves to the head of the queue`() {
    var world = PlanWorld("x")
    world.run(.hosts(hosts(3)), for: minute)
    world.plan.authorities[0].limits.freeze(.orders, until: PlanWorld.start / 1_000 + 90 * 86_400)
    // The others wait from day 60, and are endangered from day 75; this one from day 62, and 72.
    let now = world.seconds
    world.plan.hosts["h3.example"]?.certificate?.validity = Validity(
      notBefore: now + 22 * 86_400, notAfter: now + 82 * 86_400)
    world.run(.time, for: 64 * day)
    let before = world.plan.queue(PlanWorld.moment(world.now)).map(\.host)
    #expect(before.count == 3 && before.last == "h3.example", "\(before)")
    world.run(.time, for: 9 * day)
    let after = world.plan.queue(PlanWorld.moment(world.now)).map(\.host)
    #expect(after.count == 3 && after.first == "h3.example", "\(after)")
  }

  @Test func `where the CA's limit is used up, who asked comes first, whatever the name`() {
    var world = PlanWorld("letsencrypt")
    for _ in 0..<270 { world.plan.authorities[0].limits.budget?.spend(now: PlanWorld.start) }
    world.run(.hosts(hosts(60).union(["zz.example"])), for: 1_000)
    world.run(.askedFor("zz.example"), for: 200_000)
    let issued = world.issued.map(\.host)
    #expect(issued.prefix(3).contains("zz.example") && issued.count < 10, "\(issued)")
    // All that wait have a place and a time, each later than the one before.
    let line = world.plan.queue(PlanWorld.moment(world.now))
    let underWay = world.plan.hosts.open(at: world.plan.authorities[0].authority).count
    #expect(line.count + issued.count + underWay == 61)
    #expect(line.map(\.time) == line.map(\.time).sorted() && Set(line.map(\.time)).count > 40)
  }

  @Test func `asked for comes before in danger of expiring, and that before the rest`() {
    var world = PlanWorld("letsencrypt")
    world.run(.hosts(["old.example"]), for: minute)
    world.run(.time, for: 80 * day)
    let now = world.seconds
    world.plan.hosts["old.example"]?.certificate?.validity = Validity(
      notBefore: now - 85 * 86_400, notAfter: now + 5 * 86_400)
    world.plan.reconsider("old.example", PlanWorld.moment(world.now))
    for _ in 0..<271 {
      world.plan.authorities[0].limits.budget?.spend(now: PlanWorld.start + world.now)
    }
    world.forgetEffects()
    world.run(.hosts(["old.example", "a.example", "b.example"]), for: 1_000)
    world.run(.askedFor("b.example"), for: 5 * minute)
    #expect(world.ordered.map(\.host) == ["b.example", "old.example", "a.example"])
  }

  @Test func `a limit that holds names up is used beside the next CA's when more than 20 wait`() {
    var world = PlanWorld("letsencrypt", "y")
    for _ in 0..<270 { world.plan.authorities[0].limits.budget?.spend(now: PlanWorld.start) }
    world.run(.hosts(hosts(60)), for: 2 * minute)
    #expect(world.issued.count > 30)
    // The last twenty wait for the first CA.
    #expect(world.plan.hosts.waiting.count > 10)
  }

  @Test func `silent names hold up nobody, and have their turn at the end`() {
    var world = PlanWorld("x")
    world.silence = { $0.hasPrefix("silent") ? 10_000 : 5 }
    world.check = { $0.hasPrefix("silent") ? .fault(.name("silent", help: "")) : .ready(.http) }
    let silent = Set((1...30).map { "silent\($0).example" })
    world.run(.hosts(silent.union(["right.example"])), for: 15_000)
    #expect(world.issued.map(\.host) == ["right.example"])
    // With so many that those to check again wait for a place.
    let more = Set((1...400).map { "silent\($0).example" })
    world.run(.hosts(more.union(["right.example"])), for: 130_000)
    world.forgetEffects()
    let start = world.now
    world.run(.hosts(more.union(["right.example", "new.example"])), for: 25_000)
    #expect(world.issued.map(\.host) == ["new.example"], "\(world.issued) \(start)")
    #expect(world.plan.hosts.checking.count <= IssuanceLimits.checks)
  }

  @Test func `a name that goes while it waits is neither checked nor ordered`() {
    var world = PlanWorld("letsencrypt")
    for _ in 0..<270 { world.plan.authorities[0].limits.budget?.spend(now: PlanWorld.start) }
    world.run(.hosts(hosts(5)), for: 1_000)
    #expect(world.plan.hosts.waiting.count == 5)
    world.run(.hosts([]), for: 50_000)
    #expect(world.plan.hosts.waiting.isEmpty && world.ordered.isEmpty)
    #expect(world.checked.isEmpty)
  }

  @Test func `a name that goes and comes back while it is checked is checked once`() {
    var world = PlanWorld("x")
    world.silence = { _ in 5_000 }
    world.run(.hosts(["a.example"]), for: 1_000)
    world.run(.hosts([]), for: 1_000)
    world.run(.hosts(["a.example"]), for: minute)
    #expect(world.checked.count == 1 && world.issued.count == 1)
  }

  @Test(arguments: [.ready(.http), .fault(.name("x", help: "y"))] as [NameCheck.Outcome])
  func `a name that goes while it is checked is neither ordered nor reported`(
    outcome: NameCheck.Outcome
  ) {
    var world = PlanWorld("x")
    world.silence = { _ in 5_000 }
    world.check = { _ in outcome }
    world.run(.hosts(["a.example"]), for: 1_000)
    world.run(.hosts([]), for: minute)
    #expect(world.ordered.isEmpty && world.told.isEmpty)
    #expect(world.plan.hosts.waiting.isEmpty && world.plan.hosts.checking.isEmpty)
  }

  @Test(arguments: [
    // One that nobody asks for, and one that clients ask for all the time.
    (false, [0, 60, 180, 480, 1_080, 2_880]), (true, (0..<60).map { $0 * 60 }),
  ])
  func `a name that clients ask for is checked each minute at most`(
    isAskedFor: Bool, expected: [Int64]
  ) {
    var world = PlanWorld("x")
    world.check = { _ in .fault(.name("elsewhere", help: "")) }
    world.run(.hosts(["a.example"]), for: 0)
    for _ in 0..<3_599 { world.run(isAskedFor ? .askedFor("a.example") : .time, for: 1_000) }
    let times = world.checked.map { $0.time / 1_000 }
    #expect(times == expected, "\(times)")
  }

  @Test func `a name that is right again is ordered as soon as a client asks for it`() {
    var world = PlanWorld("x")
    world.check = { _ in .fault(.name("elsewhere", help: "")) }
    world.run(.hosts(["a.example"]), for: 60 * minute)
    world.check = { _ in .ready(.http) }
    let start = world.now
    world.run(.askedFor("a.example"), for: minute)
    #expect(world.issued.map(\.host) == ["a.example"])
    #expect(world.ordered.allSatisfy { $0.time - start < 2_000 }, "\(world.ordered)")
  }

  @Test func `clients that ask for a name below a wildcard ask for the wildcard`() {
    var world = PlanWorld("x")
    world.check = { _ in .fault(.name("elsewhere", help: "")) }
    world.run(.hosts(["*.example.com", "b.example.com"]), for: 1_000)
    world.run(.askedFor("a.example.com"), for: 0)
    world.run(.askedFor("c.b.example.com"), for: 0)
    let asked = world.plan.hosts.states.filter(\.value.isAskedFor).keys
    #expect(Array(asked) == ["*.example.com"])
  }

  @Test func `an order that the CA lets wait gives its place to another`() {
    var world = PlanWorld("x")
    let slow = hosts(8)
    world.reply = { _, host, request in
      guard slow.contains(host), case .advance(let order, _) = request, order.url != nil else {
        return nil
      }
      return .progress(.processing, retryAfter: 120)
    }
    world.run(.hosts(slow), for: 1_000)
    world.run(.hosts(slow.union(["ninth.example"])), for: 30_000)
    #expect(world.issued.map(\.host) == ["ninth.example"])
  }

  @Test func `an order is polled after five minutes, though the CA says to wait for days`() {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url != nil, order.polls < 3 else {
        return nil
      }
      return .progress(.processing, retryAfter: 200_000)
    }
    world.run(.hosts(["a.example"]), for: 10 * minute)
    #expect(world.asked.count { $0.time > 5 * minute } > 0)
  }

  @Test func `names that wait already get the places of orders that the CA lets wait`() {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url != nil else { return nil }
      return .progress(.processing, retryAfter: 120)
    }
    world.run(.hosts(hosts(20)), for: minute)
    #expect(world.ordered.count == 20)
  }

  @Test func `no order is made on the word of a check that is older than ten minutes`() {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url != nil else { return nil }
      return .progress(.pending, retryAfter: nil)
    }
    world.run(.hosts(hosts(12)), for: 90 * minute)
    let (checks, ordered) = (world.checked, world.ordered)
    #expect(ordered.count > 8)
    for order in ordered {
      #expect(
        checks.contains {
          $0.host == order.host && $0.time <= order.time && order.time - $0.time < 10 * minute
        }, "\(order)")
    }
  }

  @Test func `a challenge is answered again from time to time, because the CA may not have heard`()
  {
    var world = PlanWorld("x")
    world.reply = { _, _, request in
      guard case .advance(let order, _) = request, order.url != nil else { return nil }
      return .progress(.pending, retryAfter: nil)
    }
    world.run(.hosts(["a.example"]), for: 2 * minute)
    let answers = world.asked.compactMap { entry in
      if case .advance(let order, let answers) = entry.request, order.url != nil {
        answers
      } else {
        nil
      }
    }
    #expect(answers.first == true && (2...5).contains(answers.count { $0 }), "\(answers)")
  }

  @Test
  func `a lost file is asked for once more at once, then after 12 hours, and three times a week`() {
    var world = PlanWorld("x")
    world.run(.hosts(["a.example"]), for: 100_000)
    while world.now < 8 * day { world.run(.file("a.example", nil), for: 3_600_000) }
    let times = world.issued.map(\.time)
    #expect(times.count { $0 < 7 * day } == 3, "\(times)")
    #expect(times[1] - 100_000 < minute && times[2] - times[1] >= 43_000_000)
    // Each loss that has to wait is said once.
    #expect((1...times.count).contains(world.told.count), "\(world.told.count)")
    // A file that is put back costs nothing.
    world.run(.time, for: 30 * day)
    world.forgetEffects()
    world.run(.file("a.example", nil), for: 0)
    #expect(world.issued.isEmpty)
  }

  @Test func `what an operator asks for is done once`() {
    var world = PlanWorld("x")
    world.run(.hosts(["a.example"]), for: minute)
    world.run(.requested("a.example"), for: 10 * day)
    #expect(world.issued.count == 2)
  }

  @Test func `files are removed a week after the end, and only if a CA has agreed with the clock`()
  {
    func removed(ahead: Int64) -> [Int64] {
      var world = PlanWorld("x")
      world.run(.hosts(["a.example", "b.example"]), for: minute)
      world.plan.authorities[0].clock = AuthorityClock(
        time: world.seconds + ahead, uptime: world.now)
      world.run(.hosts([]), for: day)
      for _ in 0..<120 { world.run(.time, for: day) }
      return world.effects.compactMap { entry in
        if case .remove = entry.effect { entry.time / day } else { nil }
      }
    }
    #expect(removed(ahead: 0) == [97, 97] && removed(ahead: 200_000).isEmpty)
  }
}
