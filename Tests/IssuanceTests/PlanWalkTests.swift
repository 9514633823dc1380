import Settings
import TestRunning
import Testing

@testable import Issuance

/// Whatever happens in whatever order, the plan keeps its promises.
@Suite struct PlanWalkTests {
  @Test(arguments: [7, 8, 9, 10])
  func `in a random walk no name has two orders, none is left without a time, and limits hold`(
    seed: UInt64
  ) throws {
    var walk = try Walk(seed)
    for _ in 0..<rounds(10_000, stress: 250_000) {
      walk.step()
      if let fault = walk.fault {
        Issue.record("\(fault)")
        return
      }
    }
    #expect(walk.issued > 30, "\(walk.issued)")
  }

  private struct Walk {
    var world = PlanWorld("letsencrypt", "y")
    var now: Int64 = 0
    var asked: [(index: Int, host: String, request: PlanRequest)] = []
    var checking: [String] = []
    var requested: Set<String> = []
    var issued = 0
    var fault: String?
    private var random: UInt64
    private let names = (0..<12).map { "h\($0).example" }

    init(_ seed: UInt64) throws { random = seed }

    mutating func next(_ count: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(count))
    }

    private mutating func event() -> PlanEvent {
      switch next(12) {
      case 0 where next(8) == 0: return .hosts(Set(names.filter { _ in next(8) > 0 }))
      case 1 where next(20) == 0:
        let host = names[next(12)]
        if world.plan.wanted.contains(host) { requested.insert(host) }
        return .requested(host)
      case 2: return .askedFor(names[next(12)])
      case 3 where next(20) == 0: return .file(names[next(12)], nil)
      case 4 where next(200) == 0: return .keyChange
      case 4 where !checking.isEmpty, 5 where !checking.isEmpty:
        let host = checking.remove(at: next(checking.count))
        let outcomes: [NameCheck.Outcome] = [
          .ready(.http), .ready(.http), .unseen(.http), .fault(.name("x", help: "y")),
          .needsAccount,
        ]
        return .checked(host, outcomes[next(5)], milliseconds: Int64(next(10_000)))
      case 6...11 where !asked.isEmpty:
        let (index, host, request) = asked.remove(at: next(asked.count))
        return .replied(
          authority: index, host: host, reply(index, host, request),
          CallFacts(
            clock: AuthorityClock(time: PlanWorld.moment(now).seconds, uptime: now),
            account: "https://ca/account",
            identities: []))
      default: return .time
      }
    }

    private mutating func reply(_ index: Int, _ host: String, _ request: PlanRequest) -> Reply {
      var step = Step.account
      switch request {
      case .window: step = .window
      case .advance(let order, _):
        step = order.url == nil ? .order : [.read, .challenge, .finalize, .certificate][next(4)]
      default: break
      }
      switch next(14) {
      case 0: return .fault(.noAnswer("x"), at: step)
      case 1:
        let type = ["rateLimited", "unauthorized", "serverInternal", "badNonce"][next(4)]
        let detail = ["", "too many new orders", "for \"\(host)\""][next(3)]
        return .fault(
          .refused(ProblemDocument(type: type, detail: detail, status: 400)), at: step)
      case 2 where step == .certificate: return .fault(.unfit("x"), at: step)
      case 3: return .fault(.storage("x"), at: step)
      case 4 where next(10) == 0: return .accountUnknown
      default: return world.good(index, host, request)
      }
    }

    mutating func step() {
      now += Int64(next(5) == 0 ? next(600_000) : next(400))
      let event = event()
      if case .hosts(let list) = event { requested.formIntersection(list) }
      for effect in world.plan.step(event, at: PlanWorld.moment(now)) { note(effect) }
      for host in world.plan.wanted { checkTime(host) }
      for host in requested where world.plan.hosts[host]?.isRequested != true {
        fault = "the request for \(host) is lost"
      }
    }

    private mutating func note(_ effect: PlanEffect) {
      switch effect {
      case .check(let host, _):
        if checking.contains(host) { fault = "\(host) is checked twice at one time" }
        checking.append(host)
        if checking.count > IssuanceLimits.checks { fault = "too many checks" }
      case .ask(let index, let host, let request):
        if asked.contains(where: { $0.index == index }) { fault = "two requests at one CA" }
        let seconds = PlanWorld.moment(now).seconds
        if case .advance(let order, _) = request {
          let limits = world.plan.authorities[index].limits
          if limits.nextTime(for: host, isNew: order.url == nil, now: seconds) > seconds {
            fault = "\(host) is asked for while a limit holds"
          }
          if world.plan.authorities.count(where: {
            world.plan.hosts.open(at: $0.authority).contains(host)
          }) != 1 {
            fault = "\(host) has two orders, or none"
          }
        }
        asked.append((index, host, request))
      case .installed(let host), .fulfilled(let host):
        issued += 1
        requested.remove(host)
      default: break
      }
      if world.plan.authorities.contains(where: {
        world.plan.hosts.open(at: $0.authority).count > IssuanceLimits.openOrders
      }) {
        fault = "too many orders"
      }
    }

    /// Somebody will come back to each host: the clock, the queue, a check or a CA.
    private mutating func checkTime(_ host: String) {
      let plan = world.plan
      let isKept =
        plan.hosts.schedule.contains(host) || plan.hosts.waiting.contains(host)
        || checking.contains(host)
        || asked.contains { $0.host == host }
        || plan.authorities.contains { $0.ready.contains(host) || $0.windows.contains(host) }
      if !isKept { fault = "\(host) has no time: \(String(describing: plan.hosts[host]?.stage))" }
    }
  }
}
