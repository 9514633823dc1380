package import Diagnostics
internal import Hosting

/// What somebody who runs the server should know of its domains, as they are seen from outside.
package enum OutsideNews: Sendable {
  case trouble(Diagnostic)
  /// A sentence: what was wrong is right again.
  case recovery(String)
}

/// Says what has become wrong and what is right again, once each.
struct OutsideTeller {
  private var isCutOff = false

  /// Nil when there is nothing new.
  mutating func news(
    _ check: OutsideCheck, after before: OutsideCheck?, of name: DomainName
  ) -> OutsideNews? {
    if check.origin == .unknown {
      defer { isCutOff = true }
      return isCutOff ? nil : .trouble(Self.cutOff)
    }
    isCutOff = false
    let wasFailing = before?.origin == .failing
    if check.origin == .failing, !wasFailing {
      return .trouble(
        Diagnostic(
          .warning, code: "H051",
          "\(name.entryName) is not served as Apple asks, seen from outside: \(check.fault ?? "")",
          help: "aasa check tells what was seen, and how to fix it"))
    }
    if check.origin == .good, wasFailing {
      return .recovery("\(name.entryName) is served as Apple asks again, seen from outside")
    }
    return nil
  }

  private static let cutOff = Diagnostic(
    .warning, code: "H050",
    "nothing can be looked at from outside: neither domains nor Apple's CDN can be reached",
    help:
      "look at this machine's resolver, and whether it may connect to port 443; behind a"
      + " proxy set HTTPS_PROXY")
}
