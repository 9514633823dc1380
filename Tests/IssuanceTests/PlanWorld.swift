import Diagnostics
import Settings
import TLS
import TLSTestSupport
import Testing

@testable import Issuance

/// A plan, names that lead here or not, and CAs that answer as a test says. Time passes as the plan
/// wants it.
struct PlanWorld {
  static let start: Int64 = 1_800_000_000_000
  private static let chain = IssuedChain(pem: TestCertificate("leaf", names: ["a.example"]).pem)

  var plan: HostPlan
  /// Milliseconds since the start.
  private(set) var now: Int64 = 0
  /// Of certificates, in days.
  var life: Int64 = 90
  /// How far the CAs' clocks are ahead, in seconds.
  var ahead: Int64 = 0
  var account: String? = "https://ca/account"
  /// Milliseconds that the first CA takes for an answer.
  var delay: Int64 = 0
  /// Whether answers say what time it is.
  var isHeard = true
  /// Another answer than that of a CA without faults.
  var reply: (_ authority: Int, _ host: String, PlanRequest) -> Reply? = { _, _, _ in nil }
  var check: (_ host: String) -> NameCheck.Outcome = { _ in .ready(.http) }
  /// Milliseconds for which the servers of a name let wait.
  var silence: (_ host: String) -> Int64 = { _ in 1 }
  /// What the plan wanted, and when.
  private(set) var effects: [(effect: PlanEffect, time: Int64)] = []
  private var checking: [(end: Int64, event: PlanEvent)] = []

  init(_ names: String...) {
    plan = HostPlan(
      names.map { name in
        let authority = Authority(name: name, url: "https://\(name).example/dir")
        return AuthorityState(authority, limits: RateLimits(authority))
      })
  }

  static func moment(_ milliseconds: Int64) -> Moment {
    Moment(uptime: milliseconds, wall: start + milliseconds)
  }

  var seconds: Int64 { (Self.start + now) / 1_000 }

  /// Lets something happen, and then time pass.
  mutating func run(_ first: PlanEvent, for duration: Int64) {
    let end = now + duration
    var events = [first]
    while true {
      while !events.isEmpty { events += step(events.removeFirst()) }
      let due = min(plan.nextDue(), checking.map(\.end).min() ?? .max)
      if due > end { break }
      now = max(due, now + 1)
      events = checking.filter { $0.end <= now }.map(\.event)
      checking.removeAll { $0.end <= now }
      if events.isEmpty { events = [.time] }
    }
    now = end
  }

  private mutating func step(_ event: PlanEvent) -> [PlanEvent] {
    var events: [PlanEvent] = []
    for effect in plan.step(event, at: Self.moment(now)) {
      effects.append((effect, now))
      switch effect {
      case .check(let host, _):
        let time = silence(host)
        checking.append((now + time, .checked(host, check(host), milliseconds: time)))
      case .ask(let index, let host, let request):
        let answer = reply(index, host, request) ?? good(index, host, request)
        let reply = PlanEvent.replied(authority: index, host: host, answer, facts)
        if index == 0, delay > 0 {
          checking.append((now + delay, reply))
        } else {
          events.append(reply)
        }
      default: break
      }
    }
    return events
  }

  var facts: CallFacts {
    let clock = AuthorityClock(time: seconds + ahead, uptime: now)
    return CallFacts(clock: isHeard ? clock : nil, account: account, identities: ["ca"])
  }

  /// Opens an order at the first CA, as known after a restart.
  mutating func open(_ host: String, begun: Int64) {
    var order = OpenOrder(
      authority: plan.authorities[0].authority.url, challenge: .http, begun: begun)
    order.url = "https://ca/order/1"
    var state = HostState()
    state.stage = .ordered(order)
    plan.hosts[host] = state
  }

  /// What a CA without faults answers.
  func good(_ index: Int, _ host: String, _ request: PlanRequest) -> Reply {
    switch request {
    case .directory, .account: return .known
    case .changeKey: return .keyChanged(isLost: false)
    case .window: return .window(nil, retryAfter: nil)
    case .advance(let order, _):
      if order.url == nil { return .ordered("https://ca/order/\(host)") }
      switch order.progress {
      case nil: return .progress(.pending, retryAfter: nil)
      case .pending: return .progress(.ready, retryAfter: nil)
      case .ready: return .progress(.valid, retryAfter: nil)
      default: return certificate(index).map(Reply.installed) ?? .known
      }
    }
  }

  func certificate(_ index: Int) -> IssuedFile? {
    Self.chain.map { chain in
      var file = IssuedFile(
        chain, authority: plan.authorities[index].authority.url, account: "https://ca/account",
        profile: nil, issued: seconds)
      file.renewalIdentifier = "a.b"
      file.validity = Validity(notBefore: seconds, notAfter: seconds + life * 86_400)
      return file
    }
  }

  // MARK: What was seen

  mutating func forgetEffects() { effects = [] }

  /// The requests to CAs, and when.
  var asked: [(host: String, request: PlanRequest, time: Int64)] {
    effects.compactMap { entry in
      if case .ask(_, let host, let request) = entry.effect {
        (host, request, entry.time)
      } else {
        nil
      }
    }
  }

  /// The checks that were begun, and when.
  var checked: [(host: String, time: Int64)] {
    effects.compactMap { entry in
      if case .check(let host, _) = entry.effect { (host, entry.time) } else { nil }
    }
  }

  /// New orders, and when.
  var ordered: [(host: String, time: Int64)] {
    asked.compactMap { entry in
      if case .advance(let order, _) = entry.request, order.url == nil {
        (entry.host, entry.time)
      } else {
        nil
      }
    }
  }

  var issued: [(host: String, time: Int64)] {
    effects.compactMap { entry in
      if case .installed(let host) = entry.effect { (host, entry.time) } else { nil }
    }
  }

  /// The codes of what was told, once for each key.
  var told: [String] {
    var keys: Set<String> = []
    return effects.compactMap { entry in
      switch entry.effect {
      case .report(let diagnostic): return diagnostic.code
      case .condition(let key, let diagnostic?):
        return keys.insert(key).inserted ? diagnostic.code : nil
      case .condition(let key, nil):
        keys.remove(key)
        return nil
      default: return nil
      }
    }
  }
}

extension IssuanceFailure {
  static let error500 = IssuanceFailure.refused(
    ProblemDocument(type: "serverInternal", detail: "500", status: 500))
}
