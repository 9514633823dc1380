internal import Settings

/// Decides which host is next. All hosts share one queue, ordered by urgency, not by name.
extension HostPlan {
  /// Returns the index of the CA to use for a host's next order.
  func choice(_ state: HostState, _ now: Moment) -> Int {
    let count = authorities.count
    if count < 2 { return 0 }
    let first = authorityIndex(
      count: count, failingFor: state.failingFor(now), certificate: state.certificate?.validity,
      now: time(now))
    let isUrgent = state.certificate?.validity.isEnding(time(now)) ?? true
    return (0..<count).map { (first + $0) % count }.first { index in
      // If this CA's rate limit is reached and many names wait, the next CA takes some of them.
      let limits = authorities[index].limits
      let isFull =
        limits.budget?.remaining(now: now.wall) == 0 || limits.holds(.orders, now: now.seconds)
      return !authorities[index].isAway(now, isUrgent: isUrgent)
        && !(isFull && hosts.waiting.count > IssuanceLimits.crowd)
    } ?? first
  }

  /// Starts name checks and new orders for the hosts at the head of the queue.
  mutating func consider(_ now: Moment) {
    nextConsidered = .max
    // Changes that this function makes must not cause another call of the function.
    defer { hosts.isChanged = false }
    let hasPlace = authorities.indices.contains { places(at: $0, now) > 0 }
    guard !hosts.waiting.isEmpty, !authorities.isEmpty,
      hosts.checking.count < IssuanceLimits.checks || hasPlace
    else { return }
    var ready: [(host: String, kind: ChallengeKind)] = []
    // Check only the names of as many hosts as can soon get an order.
    var room = IssuanceLimits.checks + IssuanceLimits.ordersUnderWay
    var checked = hosts.checked.count
    for host in hosts.waiting.inOrder {
      let isFull = hosts.checking.count >= IssuanceLimits.checks
      if room == 0 || isFull && checked == 0 { break }
      guard let state = hosts[host], let check = state.waiting?.check else { continue }
      var passed: ChallengeKind?
      switch check {
      case .due: break
      case .underWay: continue
      case .passed(let kind, let at):
        checked -= 1
        if now.uptime - at < IssuanceLimits.checkLife { passed = kind }
      }
      if passed != nil, !hasPlace {
        room -= 1
        continue
      }
      guard passed != nil || !isFull, let index = acceptingAuthority(host, state, now) else {
        continue
      }
      room -= 1
      if let passed { ready.append((host, passed)) } else { startCheck(host, index, now) }
    }
    for (host, kind) in ready {
      guard let state = hosts[host], let index = acceptingAuthority(host, state, now),
        places(at: index, now) > 0
      else { continue }
      begin(host, state, kind, at: index, now)
    }
  }

  /// Returns the CA for a host's next order. If that CA accepts no order yet, returns nil, and
  /// notes when the CA will accept an order.
  private mutating func acceptingAuthority(
    _ host: String, _ state: HostState, _ now: Moment
  ) -> Int? {
    let index = choice(state, now)
    let allowed = authorities[index].orderTime(for: host, state, now)
    if allowed <= now.uptime { return index }
    nextConsidered = min(nextConsidered, allowed)
    return nil
  }

  /// Returns the hosts that wait for an order, in the order of the queue. `time` is the expected
  /// time of a host's order, in seconds since 1970.
  func queue(_ now: Moment) -> [(host: String, time: Int64)] {
    var before = [Int](repeating: 0, count: authorities.count)
    return hosts.waiting.inOrder.compactMap { host in
      guard let state = hosts[host] else { return nil }
      let index = choice(state, now)
      var wall = now.wall + authorities[index].orderTime(for: host, state, now) - now.uptime
      if let budget = authorities[index].limits.budget {
        wall = max(wall, budget.nextTime(after: before[index], now: now.wall))
      }
      before[index] += 1
      return (host, wall / 1_000)
    }
  }

  /// Returns how many orders may begin at a CA now. Orders in a long wait count only toward
  /// `IssuanceLimits.openOrders`.
  private func places(at index: Int, _ now: Moment) -> Int {
    let open = hosts.open(at: authorities[index].authority)
    let taken = open.count { (hosts[$0]?.due ?? 0) <= now.uptime + IssuanceLimits.longestPlace }
    return min(IssuanceLimits.ordersUnderWay - taken, IssuanceLimits.openOrders - open.count)
  }

  private mutating func startCheck(_ host: String, _ index: Int, _ now: Moment) {
    if waitsForClock(host, index, now) { return }
    guard var wait = hosts[host]?.waiting else { return }
    if wait.needsAccount, !hasAccount(index, host, now) { return }
    wait.check = .underWay
    enter(.waiting(wait), host)
    effects.append(.check(host, authority: index))
  }

  /// Returns whether the CA's time and our account's URL are known. If not, requests them.
  private mutating func hasAccount(_ index: Int, _ host: String, _ now: Moment) -> Bool {
    let authority = authorities[index]
    if authority.clock != nil, authority.account != nil { return true }
    if !authority.isBusy { ask(index, host, authority.clock == nil ? .directory : .account, now) }
    return false
  }

  mutating func takeCheck(
    _ host: String, _ outcome: NameCheck.Outcome, _ milliseconds: Int64, _ now: Moment
  ) {
    guard var state = hosts[host], var wait = state.waiting, case .underWay = wait.check else {
      return
    }
    guard wanted.contains(host) else { return enter(.resting, host) }
    (state.lastCheck, state.isSilent) = (now.uptime, milliseconds >= IssuanceLimits.silence)
    wait.needsAccount = outcome == .needsAccount
    switch outcome {
    case .ready(let kind):
      state.hasLedHere = true
      wait.check = .passed(kind, at: now.uptime)
    case .unseen(let kind): wait.check = .passed(kind, at: now.uptime)
    case .fault, .needsAccount: wait.check = .due
    }
    state.stage = .waiting(wait)
    hosts[host] = state
    if case .fault(let fault) = outcome { postpone(host, choice(state, now), fault, now) }
  }

  private mutating func begin(
    _ host: String, _ state: HostState, _ kind: ChallengeKind, at index: Int, _ now: Moment
  ) {
    guard !waitsForClock(host, index, now), hasAccount(index, host, now) else { return }
    var order = OpenOrder(
      authority: authorities[index].authority.url, challenge: kind, begun: time(now))
    order.replaces = state.certificate.flatMap { file in
      file.account == authorities[index].account ? file.renewalIdentifier : nil
    }
    enter(.ordered(order), host)
    authorities[index].lastOrder = now.uptime
    rest(host, until: now.uptime)
    // Count the order before it is sent to the CA, and write the count to disk.
    if state.window == nil, authorities[index].limits.budget != nil {
      authorities[index].limits.budget?.spend(now: now.wall)
      effects.append(.writeLimits(index))
    }
  }

  /// Returns whether a host waits because our clock and the CA's are more than a day apart.
  private mutating func waitsForClock(_ host: String, _ index: Int, _ now: Moment) -> Bool {
    let authority = authorities[index]
    guard authority.isClockWrong(now), let offset = authority.clock?.offset(now) else {
      if hosts[host]?.failure?.kind == .clock { hosts[host]?.failure = nil }
      return false
    }
    if !authority.isBusy, authority.nextTimeRequest <= now.uptime {
      authorities[index].nextTimeRequest = now.uptime + IssuanceLimits.timePause
      ask(index, "", .directory, now)
    }
    enter(.resting, host)
    let failure = IssuanceFailure.clock(seconds: offset)
    hosts[host]?.failure = failure
    if hosts[host]?.failingSince == nil { hosts[host]?.failingSince = now.uptime }
    rest(host, until: now.uptime + pause(after: failure, failures: 1) * 1_000)
    effects.append(.status(host))
    return true
  }
}
