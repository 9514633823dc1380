package import Diagnostics

/// News for the operator about the domains, as seen from outside.
package enum OutsideNews: Sendable {
  case failure(Diagnostic)
  /// A fault has disappeared. The text is a sentence about the recovery.
  case recovery(String)
}

/// Reports each new fault once, and each recovery from a fault once.
struct OutsideReporter {
  private var isCutOff = false

  /// Returns what is new in the outcome of a check; nil if nothing is new.
  mutating func news(_ outcome: WatchOutcome, of domain: WatchedDomain) -> OutsideNews? {
    if !outcome.reachedAnything {
      defer { isCutOff = true }
      return isCutOff ? nil : .failure(Self.cutOff)
    }
    isCutOff = false
    if outcome.origin == .failing, !domain.wasFailing {
      return .failure(
        Diagnostic(
          .notServedOutside,
          "\(domain.name) is not served as Apple asks, as a check from outside shows: "
            + "\(outcome.fault ?? "")"))
    }
    if outcome.origin == .good, domain.wasFailing {
      return .recovery(
        "\(domain.name) is again served as Apple asks, as a check from outside "
          + "shows")
    }
    return nil
  }

  private static let cutOff = Diagnostic(
    .outsideCheckFailed,
    "the server cannot check its domains from outside: it can reach neither a domain nor Apple's "
      + "CDN")
}

/// The kinds of faults that only checks from outside report.
extension Kind {
  static let outsideCheckFailed = Kind(
    "H050", "outside-check-failed",
    "the server cannot check its domains from outside: it can reach neither a domain nor Apple's "
      + "CDN",
    "the state of the domains is unknown; the server tries again at least once a minute", nil,
    severity: .warning,
    fix:
      "check this machine's resolver, and whether this machine can connect to port 443; behind a "
      + "proxy, set HTTPS_PROXY; to turn the checks off, use --check off")
  static let notServedOutside = Kind(
    "H051", "not-served-outside",
    "a check from outside shows that a domain of this server is not served as Apple asks",
    "links to the domain may not open apps that are newly installed", nil, severity: .warning,
    fix: "aasa check shows the findings, and how to fix them; if the server cannot reach its own "
      + "public address, run the check on another machine")
}

/// All kinds of findings that only checks from outside report.
package let watchingKinds: [Kind] = [.outsideCheckFailed, .notServedOutside]
