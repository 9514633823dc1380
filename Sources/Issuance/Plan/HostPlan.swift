internal import Diagnostics

/// What the issuer does next, as a value: an event and the time go in, effects come out. It reads no
/// clock, no file and no network, so that years of renewals take microseconds in a test.
struct HostPlan: Sendable {
  /// In the order in which they are tried.
  let challenges: [ChallengeKind]
  var authorities: [AuthorityState]
  var hosts: [String: HostState] = [:]
  private(set) var wanted: Set<String> = []
  /// Hosts that wait for the check of their name, or for a place.
  var waiting: Set<String> = []
  var schedule = Schedule()
  /// Checks of names that run.
  var checks = 0
  /// When those that wait are considered again, in milliseconds of the monotonic clock.
  var nextConsidered: Int64 = 0
  /// When files are next removed, in milliseconds of the monotonic clock.
  private var nextRemoval: Int64 = 0
  /// The CA that last said what time it is.
  var heard: Int?
  var effects: [PlanEffect] = []

  init(_ authorities: [AuthorityState], challenges: [ChallengeKind]) {
    self.authorities = authorities
    self.challenges = challenges
  }

  /// When there is something to do without an event, in milliseconds of the monotonic clock.
  mutating func nextDue() -> Int64 {
    var due = min(schedule.next() ?? .max, nextConsidered)
    let isFree = authorities.allSatisfy(\.open.isEmpty)
    for authority in authorities where !authority.isBusy {
      if authority.isChangingKey {
        due = isFree ? min(due, authority.nextKeyChange) : due
      } else if !authority.windows.isEmpty {
        due = min(due, authority.restEnd(.window))
      }
    }
    return due
  }

  mutating func step(_ event: PlanEvent, at now: Moment) -> [PlanEffect] {
    effects = []
    take(event, now)
    while let host = schedule.take(until: now.uptime) { wake(host, now) }
    for index in authorities.indices { goOn(index, now) }
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
      if let said = facts.said { (authorities[index].said, heard) = (said, index) }
      if authorities[index].authority.identities == nil, let names = facts.identities {
        authorities[index].identities = names
      }
      authorities[index].isBusy = false
      if case .progress = reply, authorities[index].account != nil {} else { nextConsidered = 0 }
      take(reply, of: index, for: host, now)
      authorities[index].account = facts.account
      checkClock(index, now)
    case .gone(let lost):
      for host in lost {
        hosts[host]?.certificate = nil
        hosts[host]?.window = nil
        look(host, now)
      }
    case .found(let host, let file):
      hosts[host]?.certificate = file
      if case .unfit = hosts[host]?.setback { hosts[host]?.setback = nil }
      look(host, now)
    case .keyChange:
      for index in authorities.indices {
        authorities[index].isChangingKey = true
        authorities[index].nextKeyChange = now.uptime
      }
    case .renewalFault(let host, let fault): noteRenewalFault(host, fault, now)
    }
  }

  // MARK: Hosts

  private mutating func setWanted(_ list: Set<String>, _ now: Moment) {
    for host in wanted.subtracting(list) {
      waiting.remove(host)
      effects.append(.report(host))
      guard hosts[host]?.order == nil else { continue }
      if case .checking = hosts[host]?.stage {} else { hosts[host]?.stage = .resting }
      schedule.remove(host)
    }
    let new = list.subtracting(wanted)
    wanted = list
    for host in new {
      let state = hosts[host, default: HostState()]
      hosts[host] = state
      if isResting(host) { schedule.set(host, max(state.due, now.uptime)) }
      effects.append(.report(host))
    }
  }

  /// What a person asks for counts at once, whatever was refused before.
  private mutating func request(_ host: String, _ now: Moment) {
    guard wanted.contains(host), var state = hosts[host] else { return }
    state.isRequested = true
    (state.failures, state.stumbles, state.failingSince) = (0, 0, nil)
    hosts[host] = state
    forgetRefusals(of: host)
    if state.order != nil { rest(host, until: now.uptime) }
    look(host, now)
  }

  func isResting(_ host: String) -> Bool {
    if case .resting = hosts[host]?.stage { true } else { false }
  }

  /// Looks at a host now that rests.
  mutating func look(_ host: String, _ now: Moment) {
    if isResting(host) { schedule.set(host, now.uptime) }
  }

  /// A client asked for a name that has no certificate: it comes sooner, and yet the pause after a check
  /// that failed is kept.
  private mutating func noteAsked(_ name: String, _ now: Moment) {
    for host in [name, "*" + name.drop { $0 != "." }] where wanted.contains(host) {
      guard let state = hosts[host], state.certificate == nil else { continue }
      hosts[host]?.isAskedFor = true
      guard case .name = state.setback, isResting(host) else { continue }
      let pause = pause(afterRequests: state.failures) * 1_000
      rest(host, until: min(state.due, max(now.uptime, state.lastFailure + pause)))
    }
  }

  mutating func rest(_ host: String, until due: Int64) {
    hosts[host]?.due = due
    schedule.set(host, due)
  }

  mutating func wait(_ host: String) {
    hosts[host]?.stage = .wanted
    waiting.insert(host)
    nextConsidered = 0
  }

  /// A host is due.
  private mutating func wake(_ host: String, _ now: Moment) {
    guard let state = hosts[host] else { return }
    switch state.stage {
    case .ordered(let order):
      guard let index = index(of: order.authority) else {
        hosts[host]?.stage = .resting
        return look(host, now)
      }
      if !authorities[index].ready.contains(host) { authorities[index].ready.append(host) }
    case .resting:
      guard wanted.contains(host) else { return }
      askForWindow(host, state, now)
      let time = time(now)
      let due = state.renewal(authorities, now: time)
      guard due > time else {
        hosts[host]?.wantedSince = now.uptime
        return wait(host)
      }
      // The clock may be set meanwhile.
      let untilWindow = state.certificate == nil ? .max : max(60, state.nextWindow - now.seconds)
      rest(host, until: now.uptime + min(due - time, 21_600, untilWindow) * 1_000)
      if state.certificate == nil { noteLost(host, next: due, now) }
      if isWildcard(host), state.certificate != nil, !authorities.isEmpty {
        effects.append(.lookAhead(host, authority: choice(state, now), renewal: due))
      }
      effects.append(.report(host))
    case .wanted, .checking, .checked: break
    }
  }

  /// A certificate was issued a short time ago, and its file is gone again.
  private mutating func noteLost(_ host: String, next: Int64, _ now: Moment) {
    guard hosts[host]?.setback == nil, let first = authorities.first else { return }
    let setback = Setback.unfit(
      "the file of the last one is gone or damaged, and another one is asked for on \(day(next))")
    hosts[host]?.setback = setback
    effects.append(.noteFailure(host, authority: 0, setback.text))
    effects.append(.tell(.trouble(setback, host, at: first.authority.name, nil, now: time(now))))
  }

  private mutating func noteRenewalFault(_ host: String, _ fault: NameFault?, _ now: Moment) {
    guard let state = hosts[host], let certificate = state.certificate else { return }
    hosts[host]?.renewalFault = fault.map { "\($0.message); \($0.help)" }
    let key = "record \(host)"
    if let fault {
      let renewal = min(
        state.renewal(authorities, now: time(now)), certificate.validity.notAfter)
      effects.append(.tellOnce(key: key, .recordWillNotDo(host, fault, renewal: renewal)))
    } else {
      effects.append(.forget(key: key))
    }
    effects.append(.report(host))
  }

  func index(of url: String) -> Int? { authorities.firstIndex { $0.authority.url == url } }

  // MARK: Clocks

  /// Seconds since 1970, for judging certificates: by the CA's clock when ours is minutes off. When it
  /// is more than a day off, the CA's may be the one that is wrong.
  func time(_ now: Moment) -> Int64 {
    now.seconds + usedOffset(heard.flatMap { authorities[$0].clockOffset(now) })
  }

  private mutating func checkClock(_ index: Int, _ now: Moment) {
    guard let offset = authorities[index].clockOffset(now) else { return }
    let authority = authorities[index].authority
    let keys = (off: "clock \(authority.url)", wrong: "wrong clock \(authority.url)")
    let (isOff, isWrong) = (
      abs(offset) > Limits.clockDifference, authorities[index].isClockWrong(now)
    )
    if !isOff { effects.append(.forget(key: keys.off)) }
    if !isWrong { effects.append(.forget(key: keys.wrong)) }
    if isWrong, !authorities[index].isWrongNoted {
      effects.append(.noteFailure("", authority: index, Setback.clock(seconds: offset).text))
    }
    authorities[index].isWrongNoted = isWrong
    if isOff {
      effects.append(
        .tellOnce(
          key: isWrong ? keys.wrong : keys.off, .clockDiffers(authority.name, seconds: offset)))
    }
  }

  /// Removes the files of hosts that are gone, a week after they have expired, and only while a CA
  /// agrees with our clock.
  private mutating func removeExpired(_ now: Moment) {
    guard nextRemoval <= now.uptime, let heard, !authorities[heard].isClockWrong(now) else {
      return
    }
    nextRemoval = now.uptime + Limits.removalPause
    for (host, state) in hosts where !wanted.contains(host) && isResting(host) {
      guard let file = state.certificate, file.validity.notAfter + Limits.keptSeconds < time(now)
      else { continue }
      effects.append(.remove(host))
      hosts[host] = nil
    }
  }
}

/// How far our clock is corrected when a CA's differs so: by nothing when one of the two must be wrong.
func usedOffset(_ offset: Int64?) -> Int64 {
  guard let offset else { return 0 }
  return (Limits.clockDifference + 1...Limits.clockFault).contains(abs(offset)) ? offset : 0
}
