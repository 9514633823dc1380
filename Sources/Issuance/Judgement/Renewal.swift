/// Seconds since 1970.
package struct Validity: Sendable, Equatable {
  package let notBefore: Int64
  package let notAfter: Int64

  package var life: Int64 { notAfter - notBefore }

  /// Less than a sixth of it is left.
  func isEnding(_ now: Int64) -> Bool { notAfter - now < life / 6 }
}

/// A certificate was issued: when, in seconds since 1970, and for how long.
struct PastIssue: Sendable {
  let time: Int64
  let life: Int64
}

/// When a certificate is renewed without further word: with a third of its life left, with half of
/// it when it lasts less than ten days.
package func renewalTime(_ validity: Validity) -> Int64 {
  let left = validity.life < 10 * 86_400 ? validity.life / 2 : validity.life / 3
  return validity.notAfter - left
}

/// Seconds after an issue in which no other certificate is asked for by itself, whatever anybody says:
/// twelve hours or a tenth of the life, whichever is longer. A certificate that lasts for less than a
/// day is renewed at half of its life, and not before.
package func brake(life: Int64) -> Int64 {
  max(min(43_200, max(life, 0) / 2), life / 10)
}

/// When another certificate may be asked for where nothing is served, because the last one was lost: at
/// once, then after twelve hours, and at most three times in seven days. CAs refuse the sixth in a week.
///
/// - Parameter times: when certificates were issued, in seconds since 1970.
private func repeatTime(_ times: [Int64], now: Int64) -> Int64 {
  let week: Int64 = 7 * 86_400
  let recent = times.filter { $0 > now - week }.sorted()
  switch recent.count {
  case 0...1: return now
  case 2: return max(now, recent[1] + 43_200)
  default: return recent[recent.count - 3] + week
  }
}

/// When a certificate is to be asked for, in seconds since 1970: now or before when it is due.
///
/// - Parameters:
///   - certificate: what is served; nil when there is none.
///   - window: when the CA wants that one to be renewed.
///   - isForeign: it is from a CA that is not wanted any more.
///   - issues: at CAs that are wanted, lately.
///   - isForced: a person asks for a new one.
func dueTime(
  _ certificate: Validity?, window: RenewalWindow? = nil, isForeign: Bool = false,
  issues: [PastIssue] = [], isForced: Bool = false, now: Int64
) -> Int64 {
  if isForced { return now }
  guard let certificate, certificate.notAfter > now else {
    return repeatTime(issues.map(\.time), now: now)
  }
  var time = now
  if !isForeign {
    // A window beyond the end would be a mistake of the CA's.
    time = min(
      window?.moment ?? renewalTime(certificate),
      certificate.notAfter - min(certificate.life / 20, 86_400))
  }
  let last = issues.max { $0.time < $1.time }
  return max(time, last.map { $0.time + brake(life: $0.life) } ?? time)
}

/// Which of the CAs is asked: the first, and the next one after each day of failures, or at once when
/// less than a sixth of the life is left and the first has failed.
///
/// - Parameters:
///   - failingFor: seconds; nil while nothing fails.
package func authorityIndex(
  count: Int, failingFor: Int64?, certificate: Validity?, now: Int64
) -> Int {
  guard count > 1, let failingFor else { return 0 }
  let days = Int(max(0, failingFor) / Limits.patience)
  if days == 0, certificate?.isEnding(now) == true { return 1 }
  return days % count
}
