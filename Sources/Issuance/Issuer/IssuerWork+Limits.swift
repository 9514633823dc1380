internal import Posix

/// The limits of the CAs.
extension IssuerWork {
  /// Seconds until a host's next request may be made.
  func untilAllowed(_ host: String, _ client: AuthorityClient, isNew: Bool) -> Int64 {
    let now = Clock.wallSeconds()
    let time = books[client.authority.url]?.nextTime(for: host, isNew: isNew, now: now) ?? now
    let rest = client.restsUntil - Clock.monotonicMilliseconds()
    return max(time - now, (rest + 999) / 1_000)
  }

  /// A host that waits for a CA that does not answer goes to the next one as if it had asked itself.
  func noteSilence(of client: AuthorityClient, for host: String) {
    if client.restsUntil > Clock.monotonicMilliseconds() { noteFailing(host) }
  }

  /// A host that is due is kept waiting: the next CA has its turn when that lasts.
  func noteFailing(_ host: String) {
    guard let state = hosts[host], state.failingSince == nil,
      dueTime(state.facts(options.authorities), now: time) <= time
    else { return }
    hosts[host]?.failingSince = Clock.monotonicMilliseconds()
  }

  /// Milliseconds until there may be another order; nil when the CA does not say how many it takes.
  func untilBudget(_ client: AuthorityClient) -> Int64? {
    let now = Clock.wallMilliseconds()
    return books[client.authority.url]?.budget.map { $0.nextTime(now: now) - now }
  }

  /// Counts an order, before it is made.
  func spend(_ client: AuthorityClient) {
    books[client.authority.url]?.budget?.spend(now: Clock.wallMilliseconds())
    write(client.authority)
  }

  /// Keeps from asking for what a limit of the CA is about.
  func freeze(
    _ client: AuthorityClient, _ problem: ProblemDocument, _ hosts: [String], isOrder: Bool
  ) {
    let scopes = hosts.map { limitScope(of: problem, host: $0, isOrder: isOrder) }
    let named = problem.isLimit ? scopes.first { $0 != .authority } : nil
    books[client.authority.url]?.freeze(
      named ?? .authority, until: Clock.wallSeconds() + (problem.retryAfter ?? 3_600))
    write(client.authority)
  }

  /// Notes that a host was refused, so that a restart does not ask again at once.
  func noteRefusals(_ host: String, _ client: AuthorityClient, _ trouble: Setback) {
    guard trouble.isCostly, let state = hosts[host] else { return }
    let now = Clock.wallSeconds()
    let left = (state.next - Clock.monotonicMilliseconds()) / 1_000
    books[client.authority.url]?.refused[host] = LimitBook.Refusals(
      count: state.failures, since: now - (state.failingFor ?? 0), next: now + left)
    changedBooks.insert(client.authority.url)
  }

  func forgetRefusals(of host: String) {
    for url in books.keys where books[url]?.refused.removeValue(forKey: host) != nil {
      changedBooks.insert(url)
    }
  }

  /// Writes the books that have changed.
  func writeBooks() {
    for authority in options.authorities where changedBooks.contains(authority.url) {
      write(authority)
    }
  }

  private func write(_ authority: Authority) {
    guard let book = books[authority.url] else { return }
    changedBooks.remove(authority.url)
    do throws(SystemError) {
      try folder.write(book, authority, now: Clock.wallSeconds())
    } catch {
      tellOnce("storage", .stateUnusable(folder.root, "\(error)"))
    }
  }
}

extension Setback {
  /// The CA counts such failures.
  fileprivate var isCostly: Bool {
    switch self {
    case .refused(let problem): !problem.isTransient && !problem.isOfAccount
    case .unfit: true
    case .name, .noAnswer, .storage, .clock: false
    }
  }
}
