internal import Bytes
internal import Posix
internal import Settings

/// The stage that a host has reached.
enum Stage: Sendable {
  /// Nothing is due yet for the host.
  case resting
  /// The host waits for a name check, and then for an order.
  case waiting(Waiting)
  case ordered(OpenOrder)
}

struct Waiting: Sendable {
  /// When the wait began, in milliseconds of the monotonic clock.
  let since: Int64
  var check = Check.due
  /// Whether the name check must wait until the CA has sent the account's URL.
  var needsAccount = false

  enum Check: Sendable {
    case due, underWay
    /// The name check succeeded at the time `at`, in milliseconds of the monotonic clock. Since
    /// then, the host waits for an order.
    case passed(ChallengeKind, at: Int64)
  }
}

struct OpenOrder: Sendable {
  /// The URL of the CA's directory.
  let authority: String
  let challenge: ChallengeKind
  /// When the order was begun, in seconds since 1970.
  let begun: Int64
  /// The CA's identifier of the certificate that this order replaces.
  var replaces: String?
  /// The order's URL; nil until the CA has sent it.
  var url: String?
  var progress: Progress?
  /// The number of failures since the order's status last changed, and the step that failed last.
  var failures = 0
  var failedStep: Step?
  /// The number of polls since the order last made progress.
  var polls = 0
}

/// The steps at a CA that can fail independently of each other.
enum Step: Sendable, CaseIterable {
  case account, order, read, challenge, finalize, certificate, window

  /// The steps after the creation of an order.
  static let late: [Self] = [.read, .challenge, .finalize, .certificate]
}

/// The plan's state of one host. Unless a comment says otherwise, times are milliseconds of the
/// monotonic clock, because somebody may set the wall clock.
struct HostState: Sendable {
  var stage = Stage.resting
  /// When the host is considered next. Used only while the host rests or has an order.
  var due: Int64 = 0
  /// Whether the plan has considered the host since the time `due`.
  var isSeen = false
  var certificate: IssuedFile?
  var issues: [PastIssue] = []
  var window: RenewalWindow?
  /// When to request the renewal window again, in seconds since 1970.
  var nextWindow: Int64 = 0
  var failure: IssuanceFailure?
  /// Why the next renewal will fail, and how to fix the fault.
  var renewalFault: String?
  /// The number of consecutive failures that were caused by the CA or by a fault of the name.
  var failures = 0
  /// The number of consecutive transient failures. They count against no rate limit, and most end
  /// without action.
  var transientFailures = 0
  var failingSince: Int64?
  /// Whether a person requested another certificate.
  var isRequested = false
  /// Whether a client requested the host while no certificate was served.
  var isAskedFor = false
  /// Whether the host's addresses did not answer in time at the last check.
  var isSilent = false
  /// When the name was last checked, in milliseconds of the monotonic clock.
  var lastCheck: Int64 = 0
  var hasLedHere = false

  var order: OpenOrder? { if case .ordered(let order) = stage { order } else { nil } }
  var waiting: Waiting? { if case .waiting(let wait) = stage { wait } else { nil } }
  var isResting: Bool { if case .resting = stage { true } else { false } }
  var nextLook: Int64? { isSeen ? nil : due }

  /// Returns the number of seconds since the host began to fail; nil while nothing fails.
  func failingFor(_ now: Moment) -> Int64? { failingSince.map { (now.uptime - $0) / 1_000 } }

  /// Returns the host's rank in the queue for orders. The lowest rank is first. For equal ranks, a
  /// hash of the name decides, not the alphabet.
  ///
  /// - Parameter time: The current time, in seconds since 1970.
  func rank(_ host: String, time: Int64) -> Rank {
    let isEndangered = certificate.map { $0.validity.isEnding(time) } ?? false
    let need = isRequested ? 0 : isEndangered ? 2 : isSilent ? 4 : isAskedFor ? 1 : 3
    let isNew = !hasLedHere && certificate == nil
    return Rank(
      need: need, isNew: isNew ? 1 : 0, since: waiting?.since ?? 0, tie: stableHash(host))
  }
}

/// A host's place in the queue. The place depends first on the reason for waiting, then on whether
/// the name has pointed to this server before, and then on the length of the wait.
struct Rank: Comparable, Sendable {
  let need: Int
  let isNew: Int
  let since: Int64
  let tie: UInt64

  static func < (left: Self, right: Self) -> Bool {
    (left.need, left.isNew, left.since, left.tie)
      < (right.need, right.isNew, right.since, right.tie)
  }
}

/// The time of an event on both clocks: the monotonic clock and the wall clock.
struct Moment: Sendable {
  /// The time in milliseconds of the monotonic clock.
  let uptime: Int64
  /// The time in milliseconds since 1970.
  let wall: Int64

  var seconds: Int64 { wall / 1_000 }

  static var now: Moment {
    Moment(uptime: Clock.monotonicMilliseconds(), wall: Clock.wallMilliseconds())
  }

  /// Returns the time by which certificates are judged, in seconds since 1970. Uses the CA's clock
  /// if it differs from ours by more than five minutes, but by less than a day. If the difference
  /// is larger, uses our clock, because the CA's clock may be wrong.
  func time(by clock: AuthorityClock?) -> Int64 {
    let offset = clock?.offset(self) ?? 0
    let isUsed = (IssuanceLimits.clockDifference + 1...IssuanceLimits.clockFault).contains(
      abs(offset))
    return isUsed ? seconds + offset : seconds
  }
}

/// The clock of a CA, computed from the last time that the CA sent.
struct AuthorityClock: Sendable {
  /// The CA's time, in seconds since 1970.
  let time: Int64
  /// When the CA's time arrived, in milliseconds of the monotonic clock.
  let uptime: Int64

  /// Returns the CA's clock minus this machine's clock, in seconds.
  func offset(_ now: Moment) -> Int64 { time + (now.uptime - uptime) / 1_000 - now.seconds }
}
