internal import Diagnostics
internal import Settings

/// Decides what the issuer does next. The plan is a value: its input is an event and a time, and
/// its output is a list of effects. It uses no clock, file or network, so a test can run through
/// years of renewals in microseconds.
struct HostPlan: Sendable {
  var authorities: [AuthorityState]
  var hosts = HostTable()
  var wanted: Set<String> { hosts.wanted }
  /// When to consider the waiting hosts again although nothing has changed, in milliseconds of the
  /// monotonic clock.
  var nextConsidered: Int64 = .max
  /// When to search next for files to remove, in milliseconds of the monotonic clock.
  private var nextRemoval: Int64 = 0
  /// The index of the CA that sent its time most recently.
  var heard: Int?
  var effects: [PlanEffect] = []
  /// Whether a CA still has the account's old key.
  var isChangingKey: Bool { authorities.contains { $0.keyChange != nil } }

  init(_ authorities: [AuthorityState]) { self.authorities = authorities }

  /// Returns when work is due without an event, in milliseconds of the monotonic clock.
  func nextDue() -> Int64 {
    var due = min(hosts.schedule.first?.key ?? .max, nextConsidered)
    let isFree = !hosts.hasOpen
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
    (hosts.now, hosts.time) = (now, time(now))
    take(event, now)
    while let next = hosts.schedule.first, next.key <= now.uptime { wake(next.host, now) }
    for index in authorities.indices { requestNext(index, now) }
    if hosts.isChanged || nextConsidered <= now.uptime { consider(now) }
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
      if let names = facts.identities { authorities[index].identities = names }
      authorities[index].isBusy = false
      let isProgress = if case .progress = reply { true } else { false }
      if !isProgress || authorities[index].account == nil { hosts.isChanged = true }
      take(reply, of: index, for: host, now)
      authorities[index].account = facts.account
      checkClock(index, now)
    case .file(let host, let file):
      hosts[host]?.certificate = file
      if file == nil {
        hosts[host]?.window = nil
      } else if hosts[host]?.failure?.kind == .unfit {
        hosts[host]?.failure = nil
      }
      reconsider(host, now)
    case .keyChange:
      for index in authorities.indices { authorities[index].keyChange = now.uptime }
    case .renewalFault(let host, let fault): noteRenewalFault(host, fault, now)
    }
  }

  private mutating func setWanted(_ list: Set<String>, _ now: Moment) {
    let last = wanted
    hosts.want(list)
    for host in last.subtracting(list) {
      effects.append(.status(host))
      // A host whose name is being checked rests only after the check has ended.
      if hosts[host]?.order == nil, !hosts.checking.contains(host) { enter(.resting, host) }
    }
    for host in list.subtracting(last) {
      let state = hosts[host] ?? HostState()
      hosts[host] = state
      if state.isResting { rest(host, until: max(state.due, now.uptime)) }
      effects.append(.status(host))
    }
  }

  /// Handles a person's request for a new certificate. Forgets earlier refusals by the CA.
  private mutating func request(_ host: String, _ now: Moment) {
    guard wanted.contains(host), var state = hosts[host] else { return }
    state.isRequested = true
    // Because of the request, assume that the person has done what the CA wants.
    if state.failure?.needsAction == true {
      for index in authorities.indices { authorities[index].limits.frozen[.authority] = nil }
    }
    (state.failures, state.transientFailures, state.failingSince) = (0, 0, nil)
    hosts[host] = state
    forgetRefusals(of: host)
    if state.waiting == nil { rest(host, until: now.uptime) }
  }

  /// If the host rests, considers it again now, because something about it has changed.
  mutating func reconsider(_ host: String, _ now: Moment) {
    if hosts[host]?.isResting == true { rest(host, until: now.uptime) }
  }

  /// Notes that a client requested a name for which this server has no certificate. The host moves
  /// up in the queue. If the name has a fault, the name is checked again a minute after its last
  /// check. This check sends nothing to the CA.
  private mutating func noteAsked(_ name: String, _ now: Moment) {
    for host in [name, "*" + name.drop { $0 != "." }] where wanted.contains(host) {
      guard let state = hosts[host], state.certificate == nil else { continue }
      if state.isResting, state.failure?.isOfName == true {
        let next = max(now.uptime, state.lastCheck + IssuanceLimits.askedPause)
        rest(host, until: min(state.due, next))
      }
      if !state.isAskedFor { hosts[host]?.isAskedFor = true }
    }
  }

  mutating func enter(_ stage: Stage, _ host: String) { hosts[host]?.stage = stage }

  mutating func rest(_ host: String, until due: Int64) {
    guard var state = hosts[host] else { return }
    (state.due, state.isSeen) = (due, false)
    hosts[host] = state
  }

  private mutating func wake(_ host: String, _ now: Moment) {
    hosts[host]?.isSeen = true
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
        return enter(.waiting(Waiting(since: now.uptime)), host)
      }
      // Consider the host again after at most six hours, because somebody may set the clock.
      let untilWindow = state.certificate == nil ? .max : max(60, state.nextWindow - now.seconds)
      rest(host, until: now.uptime + min(due - time, 21_600, untilWindow) * 1_000)
      if state.certificate == nil { noteLost(host, next: due, now) }
      if isWildcard(host), state.certificate != nil, !authorities.isEmpty {
        effects.append(.checkRecord(host, authority: choice(state, now), renewal: due))
      }
      effects.append(.status(host))
    // Do nothing for a waiting host: its rank depends only on the time.
    case .waiting: break
    }
  }

  /// Notes that a recently issued certificate of the host is missing or damaged.
  private mutating func noteLost(_ host: String, next: Int64, _ now: Moment) {
    guard hosts[host]?.failure == nil, let first = authorities.first else { return }
    let failure = IssuanceFailure.unfit(
      "the last certificate's file is missing or damaged; a new certificate will be ordered on "
        + "\(day(next))"
    )
    hosts[host]?.failure = failure
    effects.append(.noteFailure(host, authority: 0, failure.text))
    effects.append(
      .report(.noCertificate(for: host, failure, at: first.authority.name, nil, now: time(now))))
  }

  private mutating func noteRenewalFault(_ host: String, _ fault: IssuanceFailure?, _ now: Moment) {
    guard let state = hosts[host], let certificate = state.certificate else { return }
    hosts[host]?.renewalFault = fault?.advice
    let diagnostic = fault.map { fault in
      let renewal = min(renewal(state, now), certificate.validity.notAfter)
      return Diagnostic.recordInvalidAtRenewal(host, fault, renewal: renewal)
    }
    effects += [.condition("record \(host)", diagnostic), .status(host)]
  }

  /// Returns when to request another certificate for a host, in seconds since 1970.
  private func renewal(_ state: HostState, _ now: Moment) -> Int64 {
    let isForeign = state.certificate.map { index(of: $0.authority) == nil } ?? false
    return dueTime(
      state.certificate?.validity, window: state.window, isForeign: isForeign,
      issues: state.issues, isForced: state.isRequested, now: time(now))
  }

  func index(of url: String) -> Int? { authorities.firstIndex { $0.authority.url == url } }

  /// Returns the current time by which certificates are judged, in seconds since 1970.
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
      effects.append(
        .noteFailure("", authority: index, IssuanceFailure.clock(seconds: offset).text))
    }
    authorities[index].isWrongNoted = isWrong
  }

  /// Removes the files of removed hosts a week after their certificates expire, but only while the
  /// CA's clock and ours differ by less than a day.
  private mutating func removeExpired(_ now: Moment) {
    guard nextRemoval <= now.uptime, let heard, !authorities[heard].isClockWrong(now) else {
      return
    }
    nextRemoval = now.uptime + IssuanceLimits.removalPause
    for (host, state) in hosts.states where !wanted.contains(host) && state.isResting {
      guard let file = state.certificate,
        file.validity.notAfter + IssuanceLimits.keptSeconds < time(now)
      else { continue }
      effects.append(.remove(host))
      hosts[host] = nil
    }
  }
}
