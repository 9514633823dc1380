internal import Client
internal import Diagnostics
internal import HTTP
internal import Rules

extension CheckReport {
  /// The result in one line.
  var verdict: String { "\(evidence.target.host): \(sentence)" }

  private var sentence: String {
    let errors = count(.error)
    guard errors > 0, let first = findings.first else { return goodSentence }
    let more = errors > 1 ? ", and \(errors - 1) more" : ""
    let asked = evidence.asked.map { " (\($0) addresses were checked)" } ?? ""
    let why = occasion.map { " (\($0))" } ?? ""
    // The message says the consequence itself.
    if first.isOf(.copyLeavesLink) { return first.message + more + why }
    return "\(consequence(of: first)): \(first.message)\(more)\(asked)\(why)"
  }

  private func consequence(of finding: Finding) -> String {
    switch finding.effect {
    case .unknown: "could not be checked"
    case .allDevices where !isCDNsOwn(finding): timeLeft(finding) ?? "universal links will not work"
    case .allDevices: "universal links will not work"
    case .someDevices: "universal links will fail for some devices"
    case .developerMode: "devices in developer mode do not get the file"
    case .expectation: "the file is served, but is not what you expect"
    case .cdn, .none: "the file is served, and has errors"
    }
  }

  private func isCDNsOwn(_ finding: Finding) -> Bool { finding.isOf(.cdnHasNoFile) }

  /// Returns how long devices will still get a good copy from Apple's CDN, although the server has
  /// none.
  private func timeLeft(_ finding: Finding) -> String? {
    guard let copy = evidence.cdn?.response, copy.head.status == 200, !isPage(copy.body) else {
      return nil
    }
    // A copy of the same bad file does not help.
    if finding.isOfFile, !isCopyOld { return nil }
    guard let left = secondsLeft(copy.head), left > 0 else {
      return "devices get an older copy from Apple's CDN, which may drop it at any time"
    }
    return "devices get a copy from Apple's CDN for at most \(duration(left)) more, and then none"
  }

  private var goodSentence: String {
    var words = "the association file is served as Apple asks"
    if let asked = evidence.asked { words += ", at \(asked) addresses that were checked" }
    let warnings = findings.count { $0.severity == .warning && $0.effect != .cdn }
    if warnings > 0 { words += warnings == 1 ? ", with 1 warning" : ", with \(warnings) warnings" }
    let failing = findings.count { $0.severity >= policy.threshold && $0.effect != .cdn }
    if failing > 0, let least = policy.failing {
      let count = failing == 1 ? "1 finding fails" : "\(failing) findings fail"
      words += "; \(count), as --fail-on \(least.rawValue) asks"
    }
    if findings.contains(where: { $0.isOf(.cdnNotAsked) }) {
      return words + "; Apple's CDN could not be asked"
    }
    guard let cdn = findings.first(where: { $0.effect == .cdn }) else { return words }
    let left = evidence.cdn?.head.flatMap(secondsLeft).flatMap { $0 > 0 ? $0 : nil }
    let time = left.map { " for at most \(duration($0)) more" } ?? ""
    return words
      + (cdn.isOf(.cdnCopyDiffers)
        ? "; Apple's CDN keeps another version\(time)"
        : "; Apple's CDN caches a failure\(time)")
  }
}
