/// A validity period, in seconds since 1970.
package struct Validity: Sendable, Equatable {
  package let notBefore: Int64
  package let notAfter: Int64

  package var life: Int64 { notAfter - notBefore }

  /// Returns whether less than a sixth of the validity period is left.
  func isEnding(_ now: Int64) -> Bool { notAfter - now < life / 6 }
}

/// A past certificate: the time of issuance in seconds since 1970, and the lifetime in seconds.
struct PastIssue: Sendable {
  let time: Int64
  let life: Int64
}

/// Returns a certificate's default renewal time: when a third of its lifetime is left, or half of
/// its lifetime if the lifetime is shorter than ten days.
package func renewalTime(_ validity: Validity) -> Int64 {
  let left = validity.life < 10 * 86_400 ? validity.life / 2 : validity.life / 3
  return validity.notAfter - left
}

/// Returns the minimum number of seconds between an issuance and the next automatic request: twelve
/// hours or a tenth of the lifetime, whichever is longer. If the lifetime is less than a day,
/// returns half of the lifetime.
package func minimumReissueInterval(lifetime: Int64) -> Int64 {
  max(min(43_200, max(lifetime, 0) / 2), lifetime / 10)
}

/// Returns when to request a certificate if the files of earlier certificates were lost and no
/// certificate is served. The first such request may be immediate, and the second must be twelve
/// hours later. At most three certificates are requested in seven days, because CAs refuse the
/// sixth in a week.
///
/// - Parameter times: When certificates were issued, in seconds since 1970.
private func repeatTime(_ times: [Int64], now: Int64) -> Int64 {
  let week: Int64 = 7 * 86_400
  let recent = times.filter { $0 > now - week }.sorted()
  switch recent.count {
  case 0...1: return now
  case 2: return max(now, recent[1] + 43_200)
  default: return recent[recent.count - 3] + week
  }
}

/// Returns when to request a certificate, in seconds since 1970. If this time is not in the future,
/// the request is due now.
///
/// - Parameters:
///   - certificate: The validity of the served certificate; nil if there is none.
///   - window: The CA's renewal window for that certificate.
///   - isForeign: Whether the CA of the certificate is no longer configured.
///   - issues: Recent certificates from configured CAs.
///   - isForced: Whether a person has requested a new certificate.
func dueTime(
  _ certificate: Validity?, window: RenewalWindow? = nil, isForeign: Bool = false,
  issues: [PastIssue] = [], isForced: Bool = false, now: Int64
) -> Int64 {
  if isForced { return now }
  guard let certificate, certificate.notAfter > now else {
    // Certificates that have expired were not lost, so ignore them.
    let lost = issues.filter { $0.time + $0.life > now }
    return repeatTime(lost.map(\.time), now: now)
  }
  var time = now
  if !isForeign {
    // Renew before the certificate expires, even if the CA's window is too late by mistake.
    time = min(
      window?.moment ?? renewalTime(certificate),
      certificate.notAfter - min(certificate.life / 20, 86_400))
  }
  // A renewal in the CA's window may come soon after the last issuance, but not soon after the
  // second-last issuance.
  let recent = issues.sorted { $0.time < $1.time }.dropLast(window == nil ? 0 : 1)
  return max(time, recent.last.map { $0.time + minimumReissueInterval(lifetime: $0.life) } ?? time)
}

/// Returns the index of the CA to use. After each day of failures, the next CA is used. If less
/// than a sixth of the certificate's lifetime is left, the second CA is used at the first failure.
///
/// - Parameter failingFor: The seconds since the first failure; nil if there is no failure.
package func authorityIndex(
  count: Int, failingFor: Int64?, certificate: Validity?, now: Int64
) -> Int {
  guard count > 1, let failingFor else { return 0 }
  let days = Int(max(0, failingFor) / IssuanceLimits.patience)
  if days == 0, certificate?.isEnding(now) == true { return 1 }
  return days % count
}
