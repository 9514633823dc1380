/// What is known of one CA. Times are of the monotonic clock, in milliseconds.
struct AuthorityState: Sendable {
  let authority: Authority
  /// The account's URL; nil until the CA has said it.
  var account: String?
  /// What it calls itself in DNS records; nil until it has said so.
  var identities: [String]?
  var limits: RateLimits
  /// A request is under way. There is one at a time, on one connection.
  var isBusy = false
  /// Hosts whose orders are to be asked about now, the earliest first.
  var ready: [String] = []
  /// Hosts whose renewal windows are to be asked for.
  var windows: [String] = []
  /// Hosts with an order here.
  var open: Set<String> = []
  /// The time that it said last, in seconds since 1970, and when that was.
  var said: (seconds: Int64, uptime: Int64)?
  /// When it was last asked for the time alone.
  var askedForTime: Int64?
  /// Its clock was reported as wrong.
  var isWrongNoted = false
  /// The account's key is still the old one; when the change is tried next.
  var isChangingKey = false
  var nextKeyChange: Int64 = 0
  /// When the last order began.
  var lastOrder: Int64?
  private var silentSince: Int64?
  /// What does not work is left alone, longer and longer.
  private var rests: [Step: (failures: Int, until: Int64)] = [:]

  init(_ authority: Authority, limits: RateLimits) {
    self.authority = authority
    self.limits = limits
    identities = authority.identities
  }

  /// Its clock less ours, in seconds; nil until it has answered.
  func clockOffset(_ now: Moment) -> Int64? {
    said.map { $0.seconds + (now.uptime - $0.uptime) / 1_000 - now.seconds }
  }

  /// Nobody knows which of the two clocks is right.
  func isClockWrong(_ now: Moment) -> Bool { abs(clockOffset(now) ?? 0) > Limits.clockFault }

  /// Notes that a step came to nothing. Failures during a rest are of requests that were under way.
  mutating func noteFailure(_ step: Step, isSilence: Bool, now: Moment) {
    guard now.uptime >= restEnd(step) else { return }
    let failures = failures(step) + 1
    rests[step] = (failures, now.uptime + rest(afterSilence: failures) * 1_000)
    if isSilence { silentSince = silentSince ?? now.uptime }
  }

  mutating func noteSuccess(_ steps: Step...) {
    for step in steps { rests[step] = nil }
    silentSince = nil
  }

  /// Until when a step is left alone.
  func restEnd(_ step: Step) -> Int64 { rests[step]?.until ?? 0 }

  /// How often a step failed in a row, whichever the host.
  func failures(_ step: Step) -> Int { rests[step]?.failures ?? 0 }

  /// How often the worst step failed in a row.
  var mostFailures: Int { rests.values.map(\.failures).max() ?? 0 }

  /// A step after the order does not work: new orders would only pile up.
  func failsLate(_ now: Int64) -> Bool {
    [Step.read, .challenge, .finalize, .certificate].contains { restEnd($0) > now }
  }

  /// It has not answered for minutes, and is left alone.
  func isSilent(_ now: Int64) -> Bool {
    guard let silentSince, now - silentSince > Limits.silentAuthority else { return false }
    return rests.values.contains { $0.until > now }
  }
}
