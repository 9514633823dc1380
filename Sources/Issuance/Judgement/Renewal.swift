/// What is known of one host, for the question whether a certificate is to be asked for.
package struct HostFacts: Sendable {
  /// What is served; nil when there is none.
  package var certificate: Validity?
  /// The window in which the CA wants that certificate to be renewed, and no other.
  package var window: RenewalWindow?
  /// It is from a CA that is not wanted any more.
  package var isForeign = false
  /// When a certificate was last issued by itself, and how long that one lasts.
  package var lastIssue: (time: Int64, life: Int64)?
  /// A person asks for a new one.
  package var isForced = false

  package init() {}

}

/// Seconds since 1970.
package struct Validity: Sendable, Equatable {
  package let notBefore: Int64
  package let notAfter: Int64

  package init(notBefore: Int64, notAfter: Int64) {
    self.notBefore = notBefore
    self.notAfter = notAfter
  }

  package var life: Int64 { notAfter - notBefore }
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

/// When a certificate is to be asked for, in seconds since 1970: now or before when it is due.
package func dueTime(_ facts: HostFacts, now: Int64) -> Int64 {
  if facts.isForced { return now }
  var time = now
  if let certificate = facts.certificate, !facts.isForeign {
    time = facts.window?.moment ?? renewalTime(certificate)
    // A window beyond the end would be a mistake of the CA's.
    time = min(time, certificate.notAfter - min(certificate.life / 20, 86_400))
  }
  if let last = facts.lastIssue { time = max(time, last.time + brake(life: last.life)) }
  return time
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
  if days == 0, let certificate, certificate.notAfter - now < certificate.life / 6 { return 1 }
  return days % count
}
