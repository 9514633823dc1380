/// The state of one CA. All times are in milliseconds of the monotonic clock.
struct AuthorityState: Sendable {
  let authority: Authority
  /// The account's URL; nil until the CA has sent it.
  var account: String?
  /// The names that identify the CA in CAA and TXT records; nil until the CA has sent them.
  var identities: [String]?
  var limits: RateLimits
  /// Whether a request to the CA is in progress. At most one request is in progress at a time.
  var isBusy = false
  /// When the last request to the CA began.
  var asked: Int64 = 0
  /// The hosts whose orders are due for a request, earliest first. For some of these hosts, the
  /// order may no longer exist.
  var ready: [String] = []
  /// The hosts for which the renewal window must be requested again.
  var windows = HostQueue<Int64>()
  var clock: AuthorityClock?
  /// The earliest time of the next request that only reads the CA's clock.
  var nextTimeRequest: Int64 = 0
  var isWrongNoted = false
  /// When to try the change of the account's key; nil if this CA has the current key.
  var keyChange: Int64?
  var lastOrder: Int64?
  private var silentSince: Int64?
  /// For each step that failed, the number of failures and the end of the backoff.
  private var rests: [Step: (failures: Int, until: Int64)] = [:]

  init(_ authority: Authority, limits: RateLimits) {
    self.authority = authority
    self.limits = limits
    identities = authority.identities
  }

  /// Returns whether our clock and the CA's differ so much that one of the two must be wrong.
  func isClockWrong(_ now: Moment) -> Bool {
    abs(clock?.offset(now) ?? 0) > IssuanceLimits.clockFault
  }

  /// Notes that a step failed. Ignores the failure during the backoff of the step, because many
  /// orders may fail at the same time, and the backoff must not grow with their number.
  mutating func noteFailure(_ step: Step, isSilence: Bool, hasOthers: Bool, now: Moment) {
    guard now.uptime >= restEnd(step) else { return }
    let failures = (rests[step]?.failures ?? 0) + 1
    if isSilence { silentSince = silentSince ?? asked }
    let isAway = hasOthers && now.uptime - (silentSince ?? .max) > IssuanceLimits.urgentSilence
    let pause = max(rest(afterSilence: failures), isAway ? 60 : 0)
    rests[step] = (failures, now.uptime + pause * 1_000)
  }

  mutating func noteSuccess(_ steps: [Step]) {
    for step in steps { rests[step] = nil }
    silentSince = nil
  }

  func restEnd(_ step: Step) -> Int64 { rests[step]?.until ?? 0 }

  /// Returns when a host's order may be made or advanced, in milliseconds of the monotonic clock.
  func requestTime(for host: String, isNew: Bool, _ now: Moment) -> Int64 {
    let limit = limits.nextTime(for: host, isNew: isNew, now: now.seconds)
    return max(
      restEnd(.account), isNew ? restEnd(.order) : 0,
      now.uptime + (limit - now.seconds) * 1_000)
  }

  /// Returns when a new order for a host may begin, in milliseconds of the monotonic clock.
  func orderTime(for host: String, _ state: HostState, _ now: Moment) -> Int64 {
    if keyChange != nil { return now.uptime + 1_000 }
    var time = requestTime(for: host, isNew: true, now)
    if failsLate, let lastOrder { time = max(time, lastOrder + IssuanceLimits.orderSpacing) }
    // A renewal within the CA's renewal window does not count toward the CA's limit.
    if state.window == nil, let budget = limits.budget {
      time = max(time, now.uptime + budget.nextTime(now: now.wall) - now.wall)
    }
    return time
  }

  var mostFailures: Int { rests.values.map(\.failures).max() ?? 0 }

  /// Whether orders keep failing after their creation. New orders would then only accumulate.
  private var failsLate: Bool { Step.late.contains { rests[$0]?.failures ?? 0 > 2 } }

  /// Returns whether a host should use another CA. Urgent hosts change to another CA sooner.
  func isAway(_ now: Moment, isUrgent: Bool) -> Bool {
    if limits.holds(.authority, now: now.seconds) { return true }
    if isUrgent, limits.holds(.orders, for: 60, now: now.seconds) { return true }
    let patience = isUrgent ? IssuanceLimits.urgentSilence : IssuanceLimits.silentAuthority
    guard let silentSince, now.uptime - silentSince > patience else { return false }
    return rests.values.contains { $0.until > now.uptime }
  }
}
