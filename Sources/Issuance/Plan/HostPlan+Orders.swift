/// Sends requests to the CAs, at most one at a time to each CA, and handles the answers.
extension HostPlan {
  /// Sends the next request to an idle CA: for orders under way, then for a change of the account's
  /// key, then for renewal windows. Another function, `consider`, requests accounts and new orders.
  mutating func requestNext(_ index: Int, _ now: Moment) {
    if authorities[index].isBusy || advanceNext(index, now) { return }
    if let change = authorities[index].keyChange {
      // First wait for all open orders, because a new key changes the responses to challenges.
      if !hosts.hasOpen, change <= now.uptime { ask(index, "", .changeKey, now) }
      return
    }
    while let next = authorities[index].windows.first,
      authorities[index].restEnd(.window) <= now.uptime
    {
      authorities[index].windows.remove(next.host)
      guard let file = hosts[next.host]?.certificate else { continue }
      return ask(index, next.host, .window(file), now)
    }
  }

  private mutating func advanceNext(_ index: Int, _ now: Moment) -> Bool {
    while !authorities[index].ready.isEmpty {
      let host = authorities[index].ready.removeFirst()
      guard let order = hosts[host]?.order, order.authority == authorities[index].authority.url
      else { continue }
      // If a step of an order failed, only this order waits for the backoff of the step.
      let (authority, isNew) = (authorities[index], order.url == nil)
      let time = max(
        authority.requestTime(for: host, isNew: isNew, now),
        order.failedStep.map(authority.restEnd) ?? 0)
      guard time <= now.uptime else {
        // If this CA has not received the order yet, another CA may take it.
        if isNew, let state = hosts[host], choice(state, now) != index {
          drop(host)
          reconsider(host, now)
        } else if !ends(host, order, index, now) {
          rest(host, until: time)
        }
        continue
      }
      // From time to time, tell the CA again that the challenge is ready, because the CA may have
      // missed the first request.
      let answers = order.progress == nil || order.polls % 6 == 5
      ask(index, host, .advance(order, answers: answers), now)
      return true
    }
    return false
  }

  mutating func ask(_ index: Int, _ host: String, _ request: PlanRequest, _ now: Moment) {
    (authorities[index].isBusy, authorities[index].asked) = (true, now.uptime)
    effects.append(.ask(index, host: host, request))
  }

  mutating func askForWindow(_ host: String, _ state: HostState, _ now: Moment) {
    guard state.nextWindow <= now.seconds,
      let certificate = state.certificate, certificate.renewalIdentifier != nil,
      let index = index(of: certificate.authority), !authorities[index].windows.contains(host)
    else { return }
    hosts[host]?.nextWindow = now.seconds + IssuanceLimits.windowRetry
    authorities[index].windows.set(host, now.uptime)
  }

  mutating func take(_ reply: Reply, of index: Int, for host: String, _ now: Moment) {
    switch reply {
    case .known: authorities[index].noteSuccess([.account])
    case .ordered(let url):
      authorities[index].noteSuccess([.order, .account])
      guard var order = hosts[host]?.order else { return }
      order.url = url
      (order.failures, order.failedStep) = (0, nil)
      hosts[host]?.stage = .ordered(order)
      rest(host, until: now.uptime)
    case .progress(let progress, let retryAfter): progressed(host, progress, retryAfter, index, now)
    case .shown(let wait):
      guard var order = hosts[host]?.order else { return }
      order.polls += 1
      hosts[host]?.stage = .ordered(order)
      if !ends(host, order, index, now) { rest(host, until: now.uptime + wait) }
    case .installed(let file):
      authorities[index].noteSuccess(Step.late)
      installed(host, file, index, now)
    case .failed(let failure, let life):
      if let life {
        authorities[index].noteFailure(.certificate, isSilence: false, hasOthers: false, now: now)
        let issue = PastIssue(time: time(now), life: life)
        hosts[host]?.issues.append(issue)
        hosts[host]?.isRequested = false
        effects.append(.fulfilled(host))
      }
      drop(host)
      postpone(host, index, failure, now)
    case .window(let window, let retryAfter):
      authorities[index].noteSuccess([.window])
      if let window, window.serial == hosts[host]?.certificate?.serial {
        hosts[host]?.window = window
      }
      waitForWindow(
        host, retryAfter.map { min(max($0, 60), 86_400) } ?? IssuanceLimits.windowPause, now)
      reconsider(host, now)
    case .keyChanged(let isLost):
      if isLost { forgetAccount(index) }
      authorities[index].keyChange = nil
      effects.append(.keyChanged(isLast: !isChangingKey))
    case .accountUnknown: abandonOrderOfUnknownAccount(index, host, now)
    case .fault(let failure, let step): takeFault(failure, step, host, index, now)
    }
  }

  /// Abandons an order whose account the CA does not know. The host did not cause this failure.
  mutating func abandonOrderOfUnknownAccount(_ index: Int, _ host: String, _ now: Moment) {
    forgetAccount(index)
    drop(host)
    reconsider(host, now)
  }

  private mutating func forgetAccount(_ index: Int) {
    let state = authorities[index]
    effects.append(.report(.accountUnknown(state.authority.name, state.account ?? "")))
    effects.append(.forgetAccount(index))
  }

  /// Schedules the next poll of an order. The first polls are frequent, because nearly all orders
  /// are ready within seconds.
  private mutating func progressed(
    _ host: String, _ progress: Progress, _ retryAfter: Int64?, _ index: Int, _ now: Moment
  ) {
    guard var order = hosts[host]?.order else { return }
    if order.progress != progress {
      // A step that failed is known to work again only when an order progresses.
      authorities[index].noteSuccess([.order, .read, order.failedStep ?? .read])
      (order.progress, order.polls, order.failures, order.failedStep) = (progress, 0, 0, nil)
    }
    // The CA answers again. From now on, the order may be abandoned because of its age.
    if hosts[host]?.failure?.kind == .noAnswer { hosts[host]?.failure = nil }
    order.polls += 1
    let steps: [Int64] = [250, 500, 1_000, 2_000, 4_000, 8_000]
    var delay = order.polls <= steps.count ? steps[order.polls - 1] : 10_000
    if let retryAfter, order.polls > 2 { delay = max(delay, min(retryAfter, 300) * 1_000) }
    hosts[host]?.stage = .ordered(order)
    if !ends(host, order, index, now) { rest(host, until: now.uptime + delay) }
  }

  /// Schedules the next request for the host's renewal window, and stores the time on disk.
  mutating func waitForWindow(_ host: String, _ seconds: Int64, _ now: Moment) {
    hosts[host]?.nextWindow = now.seconds + seconds
    effects.append(.writeWindow(host))
  }

  private mutating func installed(_ host: String, _ file: IssuedFile, _ index: Int, _ now: Moment) {
    enter(.resting, host)
    guard var state = hosts[host] else { return }
    state.issues.append(PastIssue(time: time(now), life: file.validity.life))
    (state.certificate, state.window) = (file, nil)
    state.nextWindow = now.seconds + IssuanceLimits.windowRetry
    (state.failure, state.renewalFault) = (nil, nil)
    (state.failures, state.transientFailures, state.failingSince) = (0, 0, nil)
    (state.isAskedFor, state.isRequested, state.hasLedHere) = (false, false, true)
    hosts[host] = state
    forgetRefusals(of: host)
    rest(host, until: now.uptime + 1_000)
    effects += [
      .installed(host), .attempt(authority: index, "issued"),
      .condition("failing \(authorities[index].authority.url)", nil),
      .condition("account \(authorities[index].authority.url)", nil), .status(host),
    ]
  }

  mutating func forgetRefusals(of host: String) {
    for index in authorities.indices
    where authorities[index].limits.refused.removeValue(forKey: host) != nil {
      effects.append(.writeLimits(index))
    }
  }

  /// Abandons an order. At the CA, the order may stay open, which does no harm.
  mutating func drop(_ host: String) {
    guard let order = hosts[host]?.order, let index = index(of: order.authority) else { return }
    enter(.resting, host)
    effects.append(.drop(host, authority: index, order.challenge))
  }
}
