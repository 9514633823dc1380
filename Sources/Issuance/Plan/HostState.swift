internal import Bytes
internal import Posix

/// How far one host is.
enum Stage: Sendable {
  /// Nothing is to be done before its due time.
  case resting
  /// It waits for the check of its name, and then for a place.
  case wanted
  /// Its name is being checked.
  case checking
  /// Its name leads here, as was seen at this time of the monotonic clock; it waits for a place.
  case checked(ChallengeKind, at: Int64)
  case ordered(OpenOrder)
}

/// An order under way.
struct OpenOrder: Sendable {
  /// The URL of the CA's directory.
  let authority: String
  let challenge: ChallengeKind
  /// Seconds since 1970.
  let begun: Int64
  /// The certificate that it replaces, as the CA names it.
  var replaces: String?
  /// Where it is; nil until the CA has said it.
  var url: String?
  /// What the CA said last.
  var progress: Progress?
  /// Failures since the CA said another status, and which step the last one was.
  var failures = 0
  var failedStep: Step?
  /// How often it was asked about since something happened.
  var polls = 0
  var isAnswered = false
}

/// What may fail at a CA by itself, while other requests are answered.
enum Step: Sendable, CaseIterable {
  case account, order, read, challenge, finalize, certificate, window
}

/// The plan's state of one host. Times are milliseconds of the monotonic clock, because somebody may set
/// the wall clock; a comment names each exception.
struct HostState: Sendable {
  var stage = Stage.resting
  /// When there is something to do.
  var due: Int64 = 0
  var certificate: IssuedFile?
  var issues: [PastIssue] = []
  /// When the CA wants the certificate to be renewed.
  var window: RenewalWindow?
  /// When that is asked for again, in seconds since 1970.
  var nextWindow: Int64 = 0
  var isAskingForWindow = false
  var setback: Setback?
  /// What will hold the next renewal back, and what to do.
  var renewalFault: String?
  /// Failures in a row for which the CA or the name is the reason.
  var failures = 0
  /// Failures in a row that went by without costing anything.
  var stumbles = 0
  var failingSince: Int64?
  var lastFailure: Int64 = 0
  /// Somebody asked for another certificate.
  var isRequested = false
  /// A client asked for it while nothing was served.
  var isAskedFor = false
  /// Its addresses did not answer the last time.
  var isSilent = false
  /// It was seen to lead here.
  var hasLedHere = false
  /// The check of its name needs an account.
  var needsAccount = false
  /// Since when it waits for an order.
  var wantedSince: Int64 = 0

  var order: OpenOrder? {
    if case .ordered(let order) = stage { order } else { nil }
  }

  /// Seconds since the first of several failures; nil while nothing fails.
  func failingFor(_ now: Moment) -> Int64? { failingSince.map { (now.uptime - $0) / 1_000 } }

  /// When another certificate is to be asked for, in seconds since 1970.
  func renewal(_ authorities: [AuthorityState], now: Int64) -> Int64 {
    let isForeign =
      certificate.map { file in !authorities.contains { $0.authority.url == file.authority } }
    return dueTime(
      certificate?.validity, window: window, isForeign: isForeign ?? false, issues: issues,
      isForced: isRequested, now: now)
  }

  /// Where it stands among those that wait for an order: the lesser goes first. Its name plays no part.
  ///
  /// - Parameter time: seconds since 1970.
  func rank(_ host: String, time: Int64) -> Rank {
    let isEndangered = certificate.map { $0.validity.isEnding(time) } ?? false
    let need = isEndangered ? 0 : isRequested ? 1 : isSilent ? 3 : isAskedFor ? 1 : 2
    let isNew = !hasLedHere && certificate == nil
    return (need, isNew ? 1 : 0, wantedSince, stableHash(host))
  }
}

/// In danger of expiring, asked for, wanted, silent the last time; seen to lead here or not; since when
/// it waits; and what decides between hosts that are alike.
typealias Rank = (need: Int, isNew: Int, since: Int64, tie: UInt64)

/// The time of an event, by both clocks.
struct Moment: Sendable {
  /// Milliseconds of the monotonic clock.
  let uptime: Int64
  /// Milliseconds since 1970.
  let wall: Int64

  var seconds: Int64 { wall / 1_000 }

  static var now: Moment {
    Moment(uptime: Clock.monotonicMilliseconds(), wall: Clock.wallMilliseconds())
  }
}
