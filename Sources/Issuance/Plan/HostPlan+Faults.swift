internal import Diagnostics

extension HostPlan {
  mutating func takeFault(
    _ fault: IssuanceFailure, _ step: Step, _ host: String, _ index: Int, _ now: Moment
  ) {
    if fault.isTransient || fault.kind == .unfit || step == .account {
      authorities[index].noteFailure(
        step, isSilence: fault.isTransient, hasOthers: authorities.count > 1, now: now)
    }
    if authorities[index].keyChange != nil, host.isEmpty {
      authorities[index].keyChange = now.uptime + IssuanceLimits.keyChangePause
      effects.append(.condition("rollover", .rolloverWaits(fault.text)))
      return
    }
    if step == .window { return waitForWindow(host, IssuanceLimits.windowRetry, now) }
    // While the host's name is checked again for another CA, ignore the failure.
    if hosts.checking.contains(host) { return }
    if var order = hosts[host]?.order {
      order.failures += 1
      order.failedStep = step
      hosts[host]?.stage = .ordered(order)
    }
    // The host did not cause this failure, so the host keeps its place in the queue.
    if step == .account, fault.isTransient, hosts.waiting.contains(host), var state = hosts[host] {
      (state.failure, state.failingSince) = (fault, state.failingSince ?? now.uptime)
      hosts[host] = state
      return note(fault, host, index, 0, isNew: false, now)
    }
    guard let problem = fault.problem else { return postpone(host, index, fault, at: step, now) }
    switch problem.type {
    case "orderNotReady" where (1...3).contains(hosts[host]?.order?.failures ?? 0):
      return rest(host, until: now.uptime + 2_000)
    case "accountDoesNotExist":
      return abandonOrderOfUnknownAccount(index, host, now)
    default:
      if problem.freezes {
        // Make no further requests that the CA's rate limit covers.
        let scope = limitScope(of: problem, host: host, isOrder: step == .order)
        authorities[index].limits.freeze(
          problem.isLimit ? scope : .authority,
          until: now.seconds + (problem.retryAfter ?? (fault.needsAction ? 86_400 : 3_600)))
        effects.append(.writeLimits(index))
      }
      // After a permanent refusal, drop the order, so that a new order can replace it. If the CA
      // has paused requests, drop the order only if it does not exist at the CA yet.
      if problem.freezes ? step == .order : !problem.isTransient { drop(host) }
    }
    postpone(host, index, fault, at: step, now)
  }

  /// Plans the next attempt after a failure. Reports the failure if its text is new.
  mutating func postpone(
    _ host: String, _ index: Int, _ failure: IssuanceFailure, at step: Step? = nil, _ now: Moment
  ) {
    guard var state = hosts[host] else { return }
    let isNew = state.failure?.text != failure.text
    state.failure = failure
    let count: Int
    if failure.isTransient || failure.kind == .storage {
      state.transientFailures += 1
      count = state.order?.failures ?? state.transientFailures
    } else {
      state.failures += 1
      count = state.failures
    }
    var seconds = pause(after: failure, failures: max(1, count))
    switch failure.kind {
    // These failures would also occur at another CA.
    case .storage, .clock: break
    case .name, .rival, .caa: state.isAskedFor = false
    default:
      state.failingSince = state.failingSince ?? now.uptime
      // After a transient failure, or if the CA pauses requests, another CA may take over the host.
      let isAway = failure.isTransient || failure.problem?.freezes == true
      if isAway, choice(state, now) != index { seconds = 1 }
    }
    if state.order == nil { state.stage = .resting }
    hosts[host] = state
    rest(host, until: now.uptime + seconds * 1_000)
    if failure.isCostly, step != .account {
      // Store the refusal, so that the host is not tried again immediately after a restart.
      authorities[index].limits.refused[host] = RateLimits.Refusals(
        count: state.failures, since: now.seconds - (state.failingFor(now) ?? 0),
        next: now.seconds + seconds)
      effects.append(.writeLimits(index))
    }
    note(failure, host, index, count, isNew: isNew, at: step, now)
    if let order = state.order { _ = ends(host, order, index, now) }
  }

  /// Abandons an order that takes more than an hour, or whose CA fails while another CA is
  /// available. The order's status must have been requested at least once before, because the
  /// status may have changed during a restart.
  mutating func ends(_ host: String, _ order: OpenOrder, _ index: Int, _ now: Moment) -> Bool {
    guard let state = hosts[host], order.polls + order.failures > 0 else { return false }
    if choice(state, now) != index,
      authorities[index].isAway(now, isUrgent: state.certificate == nil)
        || state.failingFor(now) ?? 0 >= IssuanceLimits.patience
    {
      drop(host)
      reconsider(host, now)
      return true
    }
    // An unreachable CA or a full disk is not a failure of the order, so the order continues.
    // Without an answer from the CA, the correct time is also unknown.
    switch state.failure?.kind {
    case .noAnswer, .storage: return false
    default: break
    }
    guard time(now) - order.begun > IssuanceLimits.orderSeconds else { return false }
    drop(host)
    let reason = state.failure.map { ": \($0.text)" } ?? ""
    postpone(host, index, .unfit("the order was not completed within an hour\(reason)"), now)
    return true
  }

  /// Reports a failure. Most transient failures end without action, so these failures are reported
  /// only from the third in a row, and once for each CA.
  private mutating func note(
    _ failure: IssuanceFailure, _ host: String, _ index: Int, _ count: Int, isNew: Bool,
    at step: Step? = nil, _ now: Moment
  ) {
    effects += [
      .noteFailure(host, authority: index, failure.advice),
      .attempt(authority: index, failure.result), .status(host),
    ]
    let authority = authorities[index]
    let diagnostic = Diagnostic.noCertificate(
      for: host, failure, at: authority.authority.name, hosts[host]?.certificate?.validity,
      now: time(now))
    if failure.isTransient {
      guard max(count, authority.mostFailures) >= 3 else { return }
      effects.append(.condition("failing \(authority.authority.url)", diagnostic))
    } else if step == .account {
      effects.append(.condition("account \(authority.authority.url)", diagnostic))
    } else if isNew {
      effects.append(.report(diagnostic))
    }
  }

  /// Returns the status of a host; nil if the host needs no certificate.
  func report(_ host: String, _ now: Moment) -> HostReport? {
    guard wanted.contains(host), let state = hosts[host], !authorities.isEmpty else { return nil }
    let time = time(now)
    let renewal = state.certificate.map { state.window?.moment ?? renewalTime($0.validity) }
    let kind: HostReport.Kind =
      if let failure = state.failure {
        failure.isOfName ? .waiting : failure.needsAction ? .paused : .failing
      } else {
        renewal.map { $0 > time } == true ? .issued : .due
      }
    let index = state.order.flatMap { self.index(of: $0.authority) } ?? choice(state, now)
    return HostReport(
      kind: kind, authority: authorities[index].authority.name,
      profile: state.certificate?.profile, notAfter: state.certificate?.validity.notAfter,
      renewal: renewal, next: time + max(0, state.due - now.uptime) / 1_000,
      trouble: state.failure?.advice ?? state.renewalFault)
  }
}
