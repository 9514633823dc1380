internal import Diagnostics
internal import Hosting
internal import Logging
internal import Server

/// Tells the server's log what has become wrong and what is right again, once each.
struct OutsideTeller {
  private let log: ServerLog
  private var isCutOff = false

  init(_ log: ServerLog) { self.log = log }

  mutating func tell(_ check: OutsideCheck, after before: OutsideCheck?, of name: DomainName) {
    if check.origin == .unknown {
      if !isCutOff {
        log.tell(
          Diagnostic(
            .warning, code: "H050",
            "nothing can be looked at from outside: neither domains nor Apple's CDN can be reached",
            help:
              "look at this machine's resolver, and whether it may connect to port 443; behind a"
              + " proxy set HTTPS_PROXY"))
      }
      isCutOff = true
      return
    }
    isCutOff = false
    let wasFailing = before?.origin == .failing
    if check.origin == .failing, !wasFailing {
      log.tell(
        Diagnostic(
          .warning, code: "H051",
          "\(name.entryName) is not served as Apple asks, seen from outside: \(check.fault ?? "")",
          help: "aasa check tells what was seen, and how to fix it"))
    } else if check.origin == .good, wasFailing {
      log.tell(
        LogEntry(
          .info,
          .message(
            "\(name.entryName) is served as Apple asks again, seen from outside", metadata: [:])),
        nil)
    }
  }
}
