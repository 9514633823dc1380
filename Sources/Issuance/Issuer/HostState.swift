internal import Posix

/// How one host stands.
struct HostState {
  var certificate: IssuedFile?
  /// When a certificate was last issued, and for how long.
  var lastIssue: (time: Int64, life: Int64)?
  /// When the CA wants it to be renewed.
  var window: RenewalWindow?
  /// When that is asked for again, in milliseconds of the monotonic clock.
  var nextWindow: Int64 = 0
  var order: OrderRecord?
  /// The host whose order is for this one too.
  var leader: String?
  var trouble: Setback?
  /// What will hold the next renewal back, and what to do.
  var outlook: String?
  /// Failures in a row for which the CA or the name is the reason.
  var failures = 0
  /// Calls in a row that came to nothing and cost nobody anything.
  var stumbles = 0
  /// In milliseconds of the monotonic clock: the wall clock may be set meanwhile.
  var failingSince: Int64?
  /// In milliseconds of the monotonic clock.
  var lastFailure: Int64 = 0
  /// When it is checked again, in milliseconds of the monotonic clock.
  var next: Int64 = 0
  var isForced = false
  /// A new certificate is installed and was not yet seen in a handshake: since when, in milliseconds
  /// of the monotonic clock.
  var unseenSince: Int64?

  /// Seconds since the first of several failures; nil while nothing fails.
  var failingFor: Int64? { failingSince.map { (Clock.monotonicMilliseconds() - $0) / 1_000 } }

  var validity: Validity? {
    certificate.map { Validity(notBefore: $0.notBefore, notAfter: $0.notAfter) }
  }

  /// A new certificate is there, and not yet seen in a handshake.
  mutating func install(_ file: IssuedFile) {
    let now = Clock.monotonicMilliseconds()
    certificate = file
    window = nil
    nextWindow = now + Limits.windowRetry * 1_000
    order = nil
    leader = nil
    (trouble, outlook) = (nil, nil)
    (failures, stumbles, failingSince) = (0, 0, nil)
    unseenSince = now
    next = now + 1_000
  }

  /// Goes on with what was known before a restart.
  mutating func resume(_ refusals: LimitBook.Refusals) {
    failures = refusals.count
    let (now, wall) = (Clock.monotonicMilliseconds(), Clock.wallSeconds())
    failingSince = now - max(0, wall - refusals.since) * 1_000
    let left = min(max(0, refusals.next - wall), Limits.longestRetryAfter)
    next = now + left * 1_000
  }

  /// - Parameter authorities: the CAs that are wanted.
  func facts(_ authorities: [Authority]) -> HostFacts {
    var facts = HostFacts()
    facts.certificate = validity
    facts.window = window.flatMap { $0.serial == certificate?.serial ? $0 : nil }
    facts.isForeign =
      certificate.map { file in
        !authorities.contains { $0.url == file.authority }
      } ?? false
    facts.lastIssue = lastIssue
    facts.isForced = isForced
    return facts
  }

  /// The urgent ones first: orders under way, what nobody can connect to, then what will soon be so.
  func urgency(now: Int64) -> Int64 {
    if order != nil { return -1 }
    guard let validity else { return 1 }
    let left = validity.notAfter - now
    return left < validity.life / 6 ? 0 : 2
  }
}
