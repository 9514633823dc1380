internal import Bytes
internal import Posix

/// What is left of a CA's limits, and which hosts it has refused. All times are of the wall clock,
/// because a restart must not forget them.
struct LimitBook: Sendable, Equatable {
  /// Refusals of one host in a row.
  struct Refusals: Sendable, Equatable {
    let count: Int
    /// In seconds since 1970.
    let since: Int64
    /// When it may be asked for again.
    let next: Int64
  }

  /// How many orders the CA takes; nil when that is not known.
  var budget: OrderBudget?
  /// Until when nothing is asked, in seconds since 1970.
  private(set) var frozen: [LimitScope: Int64] = [:]
  var refused: [String: Refusals] = [:]
  init(_ authority: Authority) { budget = OrderBudget(authority) }

  mutating func freeze(_ scope: LimitScope, until end: Int64) {
    frozen[scope] = max(frozen[scope] ?? .min, end)
  }

  /// Lets a clock that was wrong hold nothing back for years.
  ///
  /// - Parameter now: in milliseconds since 1970.
  mutating func settle(now: Int64) {
    budget?.settle(now: now)
    let latest = now / 1_000 + Limits.longestRetryAfter
    for (scope, end) in frozen {
      frozen[scope] = end <= now / 1_000 ? nil : min(end, latest)
    }
  }

  /// Until when something waits, in seconds since 1970: the latest of each kind of scope.
  func ends(now: Int64) -> [String: Int64] {
    var ends: [String: Int64] = [:]
    for (scope, end) in frozen where end > now {
      ends[scope.kind] = max(ends[scope.kind] ?? 0, end)
    }
    return ends
  }

  /// When a host's next request may be made: now or later.
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

  // MARK: The file

  /// One line for each fact: what it is, then its values.
  func text(now: Int64) -> String {
    var lines: [String] = []
    if let budget { lines.append("full \(budget.full)") }
    for (scope, end) in frozen where end > now { lines.append("frozen \(scope.rawValue) \(end)") }
    // A host that is not asked for any more is forgotten after a while.
    for (host, refusals) in refused where refusals.next + 30 * 86_400 > now {
      lines.append("refused \(host) \(refusals.count) \(refusals.since) \(refusals.next)")
    }
    return lines.sorted().map { $0 + "\n" }.joined()
  }

  /// The times that a file may have: in seconds, and in milliseconds for `full`.
  private static let times = 0...CivilTime.seconds.upperBound * 1000

  /// Takes what a file has; lines that are not understood are passed over.
  mutating func read(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let number = words.last?.decimal(in: Self.times) ?? 0
      switch (words.first, words.count) {
      case ("full", 2): budget?.full = number
      case ("frozen", 3...4):
        let text = words.dropFirst().dropLast().joined(separator: " ")
        if let scope = LimitScope(rawValue: text) { freeze(scope, until: number) }
      case ("refused", 5):
        guard let count = words[2].decimal(in: 0...1_000_000),
          let since = words[3].decimal(in: Self.times)
        else { continue }
        refused[words[1]] = Refusals(count: Int(count), since: since, next: number)
      default: continue
      }
    }
  }
}

extension StateFolder {
  func limits(_ authority: Authority) -> LimitBook {
    var book = LimitBook(authority)
    if let bytes = try? readFile(limitsFile(authority), limit: Limits.limitsBytes) {
      book.read(String(decoding: bytes, as: UTF8.self))
      book.settle(now: Clock.wallMilliseconds())
    }
    return book
  }

  func write(_ book: LimitBook, _ authority: Authority, now: Int64) throws(SystemError) {
    try write(book.text(now: now), to: limitsFile(authority))
  }
}
