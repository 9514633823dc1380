/// How many orders a CA takes, counted here so that it never has to refuse one: a bucket that is full at
/// first and that fills again, drop by drop.
package struct OrderBudget: Sendable, Equatable {
  private let capacity: Int64
  /// Milliseconds for one more order.
  private let interval: Int64
  /// When it will be full again, in milliseconds since 1970.
  var full: Int64 = 0

  package init(capacity: Int64, intervalMilliseconds: Int64) {
    self.capacity = capacity
    interval = intervalMilliseconds
  }

  /// What the CA allows, as far as its documentation says; nil when it does not.
  init?(_ authority: Authority) {
    switch authority.name {
    // letsencrypt.org/docs/rate-limits: 300 new orders for an account in three hours. A tenth is left
    // to others that use the account.
    case "letsencrypt": self.init(capacity: 270, intervalMilliseconds: 40_000)
    case "letsencrypt-staging": self.init(capacity: 1_350, intervalMilliseconds: 8_000)
    default: return nil
    }
  }

  /// How many orders there may be now.
  package func remaining(now: Int64) -> Int64 {
    let debt = max(0, full - now)
    return max(0, capacity - (debt + interval - 1) / interval)
  }

  /// When there may be one more, after so many others: now or later.
  package func nextTime(after others: Int = 0, now: Int64) -> Int64 {
    if others < remaining(now: now) { return now }
    return max(full, now) + (Int64(others) + 1 - capacity) * interval
  }

  package mutating func spend(now: Int64) { full = max(full, now) + interval }

  /// Lets a clock that was wrong not empty it for years.
  mutating func settle(now: Int64) { full = min(full, now + capacity * interval) }
}
