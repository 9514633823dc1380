/// Counts the orders that a CA still accepts, so that the CA never has to refuse an order. The
/// count is a token bucket that is full at first and refills at a constant rate.
package struct OrderBudget: Sendable, Equatable {
  private let capacity: Int64
  /// The number of milliseconds after which the CA accepts one more order.
  private let interval: Int64
  /// The time at which the bucket will be full again, in milliseconds since 1970.
  var full: Int64 = 0

  package init(capacity: Int64, intervalMilliseconds: Int64) {
    self.capacity = capacity
    interval = intervalMilliseconds
  }

  /// Creates the budget from the CA's documented rate limit; nil if the limit is not known.
  init?(_ authority: Authority) {
    switch authority.name {
    // letsencrypt.org/docs/rate-limits: 300 new orders per account in three hours. Leave a tenth of
    // these orders to other users of the account.
    case "letsencrypt": self.init(capacity: 270, intervalMilliseconds: 40_000)
    case "letsencrypt-staging": self.init(capacity: 1_350, intervalMilliseconds: 8_000)
    default: return nil
    }
  }

  /// Returns the number of orders that the CA accepts now.
  package func remaining(now: Int64) -> Int64 {
    let debt = max(0, full - now)
    return max(0, capacity - (debt + interval - 1) / interval)
  }

  /// Returns the time at which an order is allowed if `others` orders are made first. The time is
  /// never in the past.
  package func nextTime(after others: Int = 0, now: Int64) -> Int64 {
    if others < remaining(now: now) { return now }
    return max(full, now) + (Int64(others) + 1 - capacity) * interval
  }

  package mutating func spend(now: Int64) { full = max(full, now) + interval }

  /// Corrects `full` after the clock was wrong: an empty bucket is full after `capacity` intervals.
  mutating func settle(now: Int64) { full = min(full, now + capacity * interval) }
}
