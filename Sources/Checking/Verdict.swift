internal import AppSiteAssociation
internal import Bytes
internal import Client
internal import Diagnostics
internal import HTTP
internal import JSON
internal import Rules

extension CheckReport {
  /// The result of the check in one line.
  var verdict: String { verdict(of: \.message) }

  /// Returns the result of the check in one line.
  ///
  /// - Parameter cause: Returns the text of the first error.
  func verdict(of cause: (Finding) -> String) -> String {
    "\(evidence.target.host): \(sentence(of: cause))"
  }

  private func sentence(of cause: (Finding) -> String) -> String {
    let errors = count(.error)
    guard let first = firstError else { return goodSentence }
    let more = errors > 1 ? ", and \(errors - 1) more" : ""
    let asked = evidence.asked.map { " (\($0) addresses were checked)" } ?? ""
    let why = occasion.map { " (\($0))" } ?? ""
    // The message of this finding already says what the consequence is.
    if first.isOf(.copyLeavesLink) { return cause(first) + more + why }
    return "\(consequence(of: first)): \(cause(first))\(more)\(asked)\(why)"
  }

  private func consequence(of finding: Finding) -> String {
    switch finding.effect {
    case .unknown: "could not be checked"
    case .allDevices where finding.isOf(.cdnHasNoFile): "\(concern) will not work"
    case .allDevices: timeLeft(finding) ?? "\(concern) will not work"
    case .someDevices: "\(concern) will fail for some devices"
    case .developerMode: "devices in developer mode do not get the file"
    case .expectation where evidence.chosen.response == nil:
      "what devices get is not what you expect"
    case .expectation: "the file is served, but is not what you expect"
    case .cdn, .none: "the file is served, but has errors"
    }
  }

  /// Returns what does not work for users if devices do not get the file. The result is universal
  /// links, or other services if the requirements or the file are only about these other services.
  static func concern(
    _ evidence: DomainEvidence, _ requirements: Requirements, _ subject: CheckSubject
  ) -> String {
    var services = subject.services.map(\.name) + requirements.ofServices.map(\.service)
    if services.isEmpty, let document = servedDocument(evidence.chosen) {
      let association = Association(document.root)
      services = Association.serviceNames.filter { !association.apps(of: $0).isEmpty }
    }
    let isAboutLinks =
      services.isEmpty || services.contains("applinks") || subject.link != nil
      || !requirements.urls.isEmpty
    return isAboutLinks
      ? "universal links" : Set(services).sorted().joined(separator: " and ")
  }

  /// Returns how long devices will still get a good copy from Apple's CDN if the server has no good
  /// file. Nil if the CDN has no good copy either.
  private func timeLeft(_ finding: Finding) -> String? {
    guard let copy = evidence.cdn?.response, copy.head.status == 200, !isPage(copy.body) else {
      return nil
    }
    // If the copy is the same as the bad file, it does not help devices.
    if finding.isOfFile, !isCopyOld { return nil }
    guard let left = secondsLeft(copy.head), left > 0 else {
      return "devices get an older copy from Apple's CDN, but the CDN may drop this copy at any "
        + "time"
    }
    return "devices get a copy from Apple's CDN for at most \(duration(left)) more, and then no "
      + "file"
  }

  private var goodSentence: String {
    var words = "the association file is served as Apple asks"
    if let asked = evidence.asked { words += ", at \(asked) addresses that were checked" }
    let warnings = findings.count { $0.severity == .warning && $0.effect != .cdn }
    if warnings > 0 { words += ", with " + warnings.counting("warning") }
    let failing = findings.count { $0.severity >= policy.threshold && $0.effect != .cdn }
    if failing > 0, let least = policy.failing {
      let count = failing.counting("finding makes", "findings make")
      words += "; \(count) the check fail because of --fail-on \(least.rawValue)"
    }
    if findings.contains(where: { $0.isOf(.cdnNotAsked) }) {
      return words + "; Apple's CDN could not be asked"
    }
    if isCDNSkipped { return words + "; Apple's CDN was not asked" + reasonToSkip }
    guard let cdn = findings.first(where: { $0.effect == .cdn }) else { return words }
    let left = evidence.cdn?.head.flatMap(secondsLeft).flatMap { $0 > 0 ? $0 : nil }
    let time = left.map { " for at most \(duration($0)) more" } ?? ""
    return words
      + (cdn.isOf(.cdnCopyDiffers)
        ? "; Apple's CDN keeps another version\(time)"
        : "; Apple's CDN caches a failure\(time)")
  }
}
