internal import Diagnostics
internal import Settings

/// Decides what the issuer does next, as a value: an event and the time go in, effects come out. It
/// uses no clock, file or network, so that a test runs through years of renewals in microseconds.
struct HostPlan: Sendable {
  var authorities: [AuthorityState]
  var hosts: [String: HostState] = [:]
  private(set) var wanted: Set<String> = []
  /// The hosts that wait for a name check or for a place.
  var waiting = HostQueue<Rank>()
  /// The hosts whose name check succeeded while they waited. Some may no longer wait.
  var checked: Set<String> = []
  var schedule = HostQueue<DueHost>()
  /// The number of name checks under way.
  var checks = 0
  /// When the waiting hosts are considered again, in milliseconds of the monotonic clock.
  var nextConsidered: Int64 = 0
  /// When files are next removed, in milliseconds of the monotonic clock.
  private var nextRemoval: Int64 = 0
  /// The index of the CA that last sent its time.
  var heard: Int?
  var effects: [PlanEffect] = []
  /// Whether a CA still has the account's old key.
  var isChangingKey: Bool { authorities.contains { $0.keyChange != nil } }

  init(_ authorities: [AuthorityState]) { self.authorities = authorities }

  /// Returns when something is due without an event, in milliseconds of the monotonic clock.
  func nextDue() -> Int64 {
    var due = min(schedule.first?.due ?? .max, nextConsidered)
    let isFree = authorities.allSatisfy(\.open.isEmpty)
    for authority in authorities where !authority.isBusy {
      if let change = authority.keyChange {
        due = isFree ? min(due, change) : due
      } else if !authority.windows.isEmpty {
        due = min(due, authority.restEnd(.window))
      }
    }
    return due
  }

  mutating func step(_ event: PlanEvent, at now: Moment) -> [PlanEffect] {
    effects = []
    take(event, now)
    while let next = schedule.first, next.due <= now.uptime {
      schedule.remove(next.host)
      wake(next.host, now)
    }
    for index in authorities.indices { requestNext(index, now) }
    if nextConsidered <= now.uptime { consider(now) }
    removeExpired(now)
    return effects
  }

  private mutating func take(_ event: PlanEvent, _ now: Moment) {
    switch event {
    case .time: break
    case .hosts(let list): setWanted(list, now)
    case .requested(let host): request(host, now)
    case .askedFor(let name): noteAsked(name, now)
    case .checked(let host, let outcome, let milliseconds):
      takeCheck(host, outcome, milliseconds, now)
    case .replied(let index, let host, let reply, let facts):
      if let clock = facts.clock { (authorities[index].clock, heard) = (clock, index) }
      if authorities[index].authority.identities == nil, let names = facts.identities {
        authorities[index].identities = names
      }
      authorities[index].isBusy = false
      if case .progress = reply, authorities[index].account != nil {} else { nextConsidered = 0 }
      take(reply, of: index, for: host, now)
      authorities[index].account = facts.account
      checkClock(index, now)
    case .file(let host, let file):
      hosts[host]?.certificate = file
      if file == nil {
        hosts[host]?.window = nil
      } else if hosts[host]?.setback?.kind == .unfit {
        hosts[host]?.setback = nil
      }
      reconsider(host, now)
    case .keyChange:
      for index in authorities.indices { authorities[index].keyChange = now.uptime }
    case .renewalFault(let host, let fault): noteRenewalFault(host, fault, now)
    }
  }

  // MARK: Hosts

  private mutating func setWanted(_ list: Set<String>, _ now: Moment) {
    for host in wanted.subtracting(list) {
      effects.append(.status(host))
      guard hosts[host]?.order == nil else { continue }
      if case .checking = hosts[host]?.stage { waiting.remove(host) } else { enter(.resting, host) }
      schedule.remove(host)
    }
    let new = list.subtracting(wanted)
    wanted = list
    for host in new {
      let state = hosts[host, default: HostState()]
      hosts[host] = state
      if isResting(host) { schedule.set(host, max(state.due, now.uptime)) }
      effects.append(.status(host))
    }
  }

  /// Handles a person's request. It takes effect immediately, even after refusals.
  private mutating func request(_ host: String, _ now: Moment) {
    guard wanted.contains(host), var state = hosts[host] else { return }
    state.isRequested = true
    // The person has done what the CA wants.
    if state.setback?.needsAction == true {
      for index in authorities.indices { authorities[index].limits.frozen[.authority] = nil }
    }
    (state.failures, state.transientFailures, state.failingSince) = (0, 0, nil)
    hosts[host] = state
    forgetRefusals(of: host)
    if state.order != nil { rest(host, until: now.uptime) }
    reconsider(host, now)
  }

  func isResting(_ host: String) -> Bool {
    if case .resting = hosts[host]?.stage { true } else { false }
  }

  /// Reacts to a change of a host: schedules it for now if it rests, or updates its place in the
  /// queue.
  mutating func reconsider(_ host: String, _ now: Moment) {
    if isResting(host) { schedule.set(host, now.uptime) }
    if waiting.contains(host) { rank(host, now) }
  }

  private mutating func rank(_ host: String, _ now: Moment) {
    guard let state = hosts[host] else { return }
    let time = time(now)
    waiting.insert(state.rank(host, time: time))
    guard let validity = state.certificate?.validity, !validity.isEnding(time) else { return }
    // Reconsider it shortly before it expires, and every six hours in case the clock was set.
    let left = min(validity.notAfter - validity.life / 6 - time + 1, 21_600)
    schedule.set(host, now.uptime + left * 1_000)
  }

  /// Notes that a client requested a name without a certificate. The host moves up in the queue. A
  /// name at fault is checked again, a minute after its last check: the CA hears nothing of that.
  private mutating func noteAsked(_ name: String, _ now: Moment) {
    for host in [name, "*" + name.drop { $0 != "." }] where wanted.contains(host) {
      guard let state = hosts[host], state.certificate == nil else { continue }
      if isResting(host), state.setback?.isOfName == true {
        let next = max(now.uptime, state.lastCheck + IssuanceLimits.askedPause)
        rest(host, until: min(state.due, next))
      }
      if state.isAskedFor { continue }
      hosts[host]?.isAskedFor = true
      if waiting.contains(host) { rank(host, now) }
    }
  }

  /// Moves a host to another stage. The queue and the open orders follow.
  mutating func enter(_ stage: Stage, _ host: String) {
    if let order = hosts[host]?.order, let index = index(of: order.authority) {
      authorities[index].open.remove(host)
      authorities[index].ready.removeAll { $0 == host }
    }
    hosts[host]?.stage = stage
    switch stage {
    case .resting: waiting.remove(host)
    case .wanted, .checking: break
    case .checked: checked.insert(host)
    case .ordered(let order):
      waiting.remove(host)
      if let index = index(of: order.authority) { authorities[index].open.insert(host) }
    }
  }

  mutating func rest(_ host: String, until due: Int64) {
    hosts[host]?.due = due
    schedule.set(host, due)
  }

  mutating func wait(_ host: String, _ now: Moment) {
    enter(.wanted, host)
    rank(host, now)
    nextConsidered = 0
  }

  private mutating func wake(_ host: String, _ now: Moment) {
    guard let state = hosts[host] else { return }
    switch state.stage {
    case .ordered(let order):
      guard let index = index(of: order.authority) else {
        enter(.resting, host)
        return reconsider(host, now)
      }
      if !authorities[index].ready.contains(host) { authorities[index].ready.append(host) }
    case .resting:
      guard wanted.contains(host) else { return }
      askForWindow(host, state, now)
      let time = time(now)
      let due = renewal(state, now)
      guard due > time else {
        hosts[host]?.wantedSince = now.uptime
        return wait(host, now)
      }
      // Wake at least every six hours in case the clock was set.
      let untilWindow = state.certificate == nil ? .max : max(60, state.nextWindow - now.seconds)
      rest(host, until: now.uptime + min(due - time, 21_600, untilWindow) * 1_000)
      if state.certificate == nil { noteLost(host, next: due, now) }
      if isWildcard(host), state.certificate != nil, !authorities.isEmpty {
        effects.append(.checkRecord(host, authority: choice(state, now), renewal: due))
      }
      effects.append(.status(host))
    case .wanted, .checking, .checked: reconsider(host, now)
    }
  }

  /// Notes that a recently issued certificate's file is gone.
  private mutating func noteLost(_ host: String, next: Int64, _ now: Moment) {
    guard hosts[host]?.setback == nil, let first = authorities.first else { return }
    let setback = Setback.unfit(
      "the last one's file is missing or damaged, and a new one will be ordered on \(day(next))")
    hosts[host]?.setback = setback
    effects.append(.noteFailure(host, authority: 0, setback.text))
    effects.append(
      .report(.noCertificate(for: host, setback, at: first.authority.name, nil, now: time(now))))
  }

  private mutating func noteRenewalFault(_ host: String, _ fault: Setback?, _ now: Moment) {
    guard let state = hosts[host], let certificate = state.certificate else { return }
    hosts[host]?.renewalFault = fault?.advice
    let diagnostic = fault.map { fault in
      let renewal = min(renewal(state, now), certificate.validity.notAfter)
      return Diagnostic.recordWillNotDo(host, fault, renewal: renewal)
    }
    effects += [.condition("record \(host)", diagnostic), .status(host)]
  }

  /// Returns when another certificate should be requested, in seconds since 1970.
  private func renewal(_ state: HostState, _ now: Moment) -> Int64 {
    let isForeign = state.certificate.map { index(of: $0.authority) == nil } ?? false
    return dueTime(
      state.certificate?.validity, window: state.window, isForeign: isForeign,
      issues: state.issues, isForced: state.isRequested, now: time(now))
  }

  func index(of url: String) -> Int? { authorities.firstIndex { $0.authority.url == url } }

  // MARK: Clocks

  /// Returns the time for checking certificates, in seconds since 1970.
  func time(_ now: Moment) -> Int64 { now.time(by: heard.flatMap { authorities[$0].clock }) }

  private mutating func checkClock(_ index: Int, _ now: Moment) {
    guard let offset = authorities[index].clock?.offset(now) else { return }
    let (authority, isWrong) = (authorities[index].authority, authorities[index].isClockWrong(now))
    func key(_ isWrong: Bool) -> String { "clock \(authority.url) \(isWrong)" }
    let differs = abs(offset) > IssuanceLimits.clockDifference
    effects += [
      .condition(key(!isWrong), nil),
      .condition(key(isWrong), differs ? .clockDiffers(authority.name, seconds: offset) : nil),
    ]
    if isWrong, !authorities[index].isWrongNoted {
      effects.append(.noteFailure("", authority: index, Setback.clock(seconds: offset).text))
    }
    authorities[index].isWrongNoted = isWrong
  }

  /// Removes the files of removed hosts a week after expiry, and only while a CA agrees with our
  /// clock.
  private mutating func removeExpired(_ now: Moment) {
    guard nextRemoval <= now.uptime, let heard, !authorities[heard].isClockWrong(now) else {
      return
    }
    nextRemoval = now.uptime + IssuanceLimits.removalPause
    for (host, state) in hosts where !wanted.contains(host) && isResting(host) {
      guard let file = state.certificate,
        file.validity.notAfter + IssuanceLimits.keptSeconds < time(now)
      else { continue }
      effects.append(.remove(host))
      hosts[host] = nil
    }
  }
}
