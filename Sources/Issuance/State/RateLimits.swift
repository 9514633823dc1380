internal import Bytes
internal import Diagnostics
internal import JSON
internal import Posix

/// The state of a CA's rate limits, and the hosts that the CA has refused. All times are wall-clock
/// times, because they must survive a restart.
struct RateLimits: Sendable, Equatable {
  /// The consecutive refusals of orders for one host.
  struct Refusals: Sendable, Equatable {
    let count: Int
    /// The time of the first refusal, in seconds since 1970.
    let since: Int64
    /// When the CA may be asked again about the host, in seconds since 1970.
    let next: Int64
  }

  /// The number of orders that the CA still accepts; nil if the CA's limit is not known.
  var budget: OrderBudget?
  /// When the CA accepts requests in each scope again, in seconds since 1970.
  var frozen: [LimitScope: Int64] = [:]
  var refused: [String: Refusals] = [:]
  init(_ authority: Authority) { budget = OrderBudget(authority) }

  mutating func freeze(_ scope: LimitScope, until end: Int64) {
    frozen[scope] = max(frozen[scope] ?? .min, end)
  }

  /// Corrects times that are too late because the clock was wrong when they were set.
  ///
  /// - Parameter now: The time, in milliseconds since 1970.
  mutating func settle(now: Int64) {
    budget?.settle(now: now)
    let latest = now / 1_000 + IssuanceLimits.longestRetryAfter
    for (scope, end) in frozen {
      frozen[scope] = end <= now / 1_000 ? nil : min(end, latest)
    }
  }

  /// Returns, for each kind of scope, when the CA accepts requests in all scopes of the kind again,
  /// in seconds since 1970.
  func ends(now: Int64) -> [String: Int64] {
    var ends: [String: Int64] = [:]
    for (scope, end) in frozen where end > now {
      ends[scope.kind] = max(ends[scope.kind] ?? 0, end)
    }
    return ends
  }

  /// Returns whether the CA accepts no request in a scope during the next `seconds` seconds.
  func holds(_ scope: LimitScope, for seconds: Int64 = 300, now: Int64) -> Bool {
    (frozen[scope] ?? now) - now > seconds
  }

  /// Returns when the next request for a host is allowed. The time is never in the past.
  func nextTime(for host: String, isNew: Bool, now: Int64) -> Int64 {
    var time = max(now, frozen[.authority] ?? now)
    guard isNew, !frozen.isEmpty else { return time }
    time = max(time, frozen[.orders] ?? now, frozen[.host(host)] ?? now)
    var domain = host[...]
    while true {
      time = max(time, frozen[.domain(String(domain))] ?? now)
      guard let dot = domain.firstIndex(of: ".") else { return time }
      domain = domain[domain.index(after: dot)...]
    }
  }

  func text(now: Int64) -> String {
    let frozen = frozen.filter { $0.value > now }.map { ($0.key.rawValue, $0.value) }
      .sorted { $0.0 < $1.0 }
    // Forget a refused host a month after the time at which it may be requested again.
    let refused = refused.filter { $0.value.next + 30 * 86_400 > now }.sorted { $0.key < $1.key }
    return stateText([
      "full": budget?.full.json, "frozen": JSONTree(frozen.map { ($0, $1.json) }),
      "refused": JSONTree(
        refused.map { host, refusals in
          let (count, since, next) = (refusals.count, refusals.since, refusals.next)
          return (host, ["count": count.json, "since": since.json, "next": next.json])
        }),
    ])
  }

  /// Reads the limits from the content of a file, and skips unknown values.
  mutating func read(_ value: Value) {
    // The value of `full` is in milliseconds since 1970.
    let full = value.member("full")?.number(upTo: CivilTime.seconds.upperBound * 1_000)
    if let full { budget?.full = full }
    for (key, end) in value.entries("frozen") {
      if let scope = LimitScope(rawValue: key), let end = end.number() { freeze(scope, until: end) }
    }
    for (host, value) in value.entries("refused") {
      guard let count = value.member("count")?.number(upTo: 1_000_000),
        let since = value.time("since"), let next = value.time("next")
      else { continue }
      refused[host] = Refusals(count: Int(count), since: since, next: next)
    }
  }
}

extension StateFolder {
  func limits(_ authority: Authority) -> RateLimits {
    var limits = RateLimits(authority)
    if let value = read(limitsFile(authority)) {
      limits.read(value)
      limits.settle(now: Clock.wallMilliseconds())
    }
    return limits
  }

  func write(_ limits: RateLimits, _ authority: Authority, now: Int64) throws(StoreFault) {
    try write(limits.text(now: now), to: limitsFile(authority))
  }
}
