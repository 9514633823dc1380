internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import HTTP
internal import JSON
internal import Rules

/// Checks whether one domain has reached the goal, and returns how long to wait before the next
/// check.
package struct Waiting {
  let subject: CheckSubject
  let settings: ClientSettings
  let cdn: CDNAddress
  /// Whether the CDN is Apple's own, and not a replacement.
  let isApple: Bool
  let goal: WaitGoal
  /// Contains the expected file, if the user gave one. If not, the goal `cdnMatches` compares the
  /// CDN's copy with the file that the server serves.
  let requirements: Requirements
  /// The time in milliseconds between two checks of the server.
  let interval: Int64

  package init(
    subject: CheckSubject, settings: ClientSettings, cdn: CDNAddress, isApple: Bool, goal: WaitGoal,
    requirements: Requirements, interval: Int64
  ) {
    self.subject = subject
    self.settings = settings
    self.cdn = cdn
    self.isApple = isApple
    self.goal = goal
    self.requirements = requirements
    self.interval = interval
  }

  package struct State {
    package let isReached: Bool
    /// The state as words for the middle of a line.
    package let words: String
    /// The time in milliseconds to wait before the next check.
    let pause: Int64
  }

  package func ask() -> State {
    if goal == .cdnMatches, let file = requirements.file { return askCDN(file) }
    guard
      let evidence = DomainEvidence(
        watching: subject.target, settings, cdn: nil, asksForLinks: false)
    else {
      return State(isReached: false, words: "the host is invalid", pause: interval)
    }
    let report = CheckReport(evidence, requirements, subject)
    if let fault = report.findings.first(where: { $0.severity == .error }) {
      return State(isReached: false, words: "\(fault.message) [\(fault.code)]", pause: interval)
    }
    guard isFile(evidence.chosen), let document = servedDocument(evidence.chosen) else {
      return State(
        isReached: false, words: "the domain does not serve the file yet", pause: interval)
    }
    switch goal {
    case .reachable: return State(isReached: true, words: "the file is served", pause: 0)
    case .originMatches:
      return State(isReached: true, words: "the server has the expected file", pause: 0)
    case .cdnMatches: return askCDN(document)
    }
  }

  private func askCDN(_ wanted: Document) -> State {
    guard let request = cdn.request(for: subject.target.host) else {
      return State(
        isReached: false, words: "the CDN cannot be queried for this host", pause: interval)
    }
    let exchange = settings.fetch(request, isOwn: false)
    let left = exchange.head.flatMap(secondsLeft)
    let rest =
      left.map { $0 > 0 ? ", and keeps this answer for at most \(duration($0)) more" : "" } ?? ""
    if isFile(exchange), let copy = servedDocument(exchange) {
      if isSame(copy, wanted) {
        return State(isReached: true, words: "Apple's CDN has the expected file", pause: 0)
      }
      return State(
        isReached: false, words: "Apple's CDN has another version of the file" + rest,
        pause: pause(left))
    }
    if let reason = exchange.head?.value(of: "apple-failure-reason") {
      return State(
        isReached: false, words: "Apple's CDN has no file, because of \(reason)" + rest,
        pause: pause(left ?? 3_600))
    }
    let words = exchange.fault.map(\.description) ?? "it gives \(responseSummary(exchange))"
    return State(
      isReached: false, words: "Apple's CDN could not be queried: \(words)", pause: pause(left))
  }

  /// Returns the time in milliseconds until the CDN's copy may change. For Apple's CDN, this is at
  /// least a minute.
  private func pause(_ secondsLeft: Int?) -> Int64 {
    let least: Int64 = isApple ? 60_000 : 1_000
    return max(least, Int64(max(0, secondsLeft ?? 0)) * 1_000 + 500)
  }

  private func isSame(_ one: Document, _ other: Document) -> Bool {
    one.source.bytes == other.source.bytes || DifferenceReport(one, other, host: nil).isSame
  }
}

/// The state that the user wants to wait for.
package enum WaitGoal: String, CaseIterable, Sendable {
  case reachable
  case originMatches = "origin-matches"
  case cdnMatches = "cdn-matches"
}
