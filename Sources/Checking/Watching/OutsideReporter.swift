internal import Catalog
package import Diagnostics
internal import Settings

/// News for the operator about the domains, from the checks from outside.
package enum OutsideNews: Sendable {
  case failure(Diagnostic)
  /// A sentence: a fault has disappeared.
  case recovery(String)
}

/// Reports new faults and recoveries, once each.
struct OutsideReporter {
  private var isCutOff = false

  /// Nil if there is nothing new.
  mutating func news(
    _ check: OutsideCheck, after before: OutsideCheck?, of name: DomainName
  ) -> OutsideNews? {
    if check.origin == .unknown {
      defer { isCutOff = true }
      return isCutOff ? nil : .failure(Self.cutOff)
    }
    isCutOff = false
    let wasFailing = before?.origin == .failing
    if check.origin == .failing, !wasFailing {
      return .failure(
        Diagnostic(
          .notServedOutside,
          "\(name.entryName) is not served as Apple asks, seen from outside: \(check.fault ?? "")",
          help: "aasa check shows the findings, and how to fix them"))
    }
    if check.origin == .good, wasFailing {
      return .recovery("\(name.entryName) is served as Apple asks again, seen from outside")
    }
    return nil
  }

  private static let cutOff = Diagnostic(
    .nothingSeenFromOutside,
    "nothing can be checked from outside: neither domains nor Apple's CDN can be reached",
    help:
      "check this machine's resolver, and whether it may connect to port 443; behind a"
      + " proxy set HTTPS_PROXY")
}
