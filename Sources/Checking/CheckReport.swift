internal import AppSiteAssociation
internal import Bytes
internal import Client
package import Diagnostics
internal import HTTP
internal import Posix
package import Rules
internal import TLS

/// The result of checking one domain: a verdict with its findings, as text for people and as JSON
/// for programs.
package struct CheckReport {
  let evidence: DomainEvidence
  let policy: VerdictPolicy
  /// Observations that are not faults, each a few words long.
  let remarks: [String]
  /// The findings, in the order in which the user should fix them.
  let findings: [Finding]
  /// What does not work for users if devices do not get the file, such as links.
  let concern: String
  /// Whether the entitlements of an app list the domain.
  private let isNamedByApp: Bool
  /// Whether devices with the app fetch the file from the domain and not from Apple's CDN.
  private let isDirect: Bool
  /// Why this domain was checked, although the user gave a different domain: devices also read this
  /// domain's file for links to the given domain. Nil if the user gave this domain.
  let occasion: String?

  init(
    _ evidence: DomainEvidence, _ requirements: Requirements, _ subject: CheckSubject,
    _ policy: VerdictPolicy = VerdictPolicy()
  ) {
    self.evidence = evidence
    self.policy = policy
    concern = Self.concern(evidence, requirements, subject)
    isNamedByApp = !subject.services.isEmpty
    isDirect = subject.isDirect
    occasion = subject.isGiven ? nil : subject.wildcardRemarks.first
    if let obstacle = obstacle(evidence, isDirect: isDirect) {
      // If this machine cannot check the domain, the other findings say nothing about the domain,
      // so omit them. But devices still get the CDN's copy, so check whether this copy meets the
      // requirements.
      let required = isDirect ? nil : RequirementFindings(ofCopy: evidence, requirements, subject)
      let unmet = required?.findings.filter { !policy.ignored.contains($0.code) } ?? []
      findings = unmet.filter { $0.severity == .error } + [obstacle]
      remarks = required?.remarks ?? []
      return
    }
    let required = RequirementFindings(evidence, requirements, subject)
    let identity = identityFindings(evidence)
    // If the server refuses only Apple's robot, omit the findings about the answer that the robot
    // got, because the refusal explains them.
    let isRobotRefused = identity.contains {
      $0.isOf(.robotRefused) && !policy.ignored.contains($0.code)
    }
    let answers = answerFindings(evidence).filter {
      !isRobotRefused
        || !$0.isOf(.accessRefused, .pageInstead, .noFile, .otherStatus, .serverFails)
    }
    // If the file permits nothing, one finding says so. Omit the findings about expectations that
    // the file does not fulfill.
    let isNothingPermitted = answers.contains {
      $0.isOf(.nothingPermitted) && !policy.ignored.contains($0.code)
    }
    let unmet = required.findings.filter {
      !isNothingPermitted || !$0.isOf(.appNotNamed, .linkDoesNotOpen, .serviceWithoutApp)
    }
    let own =
      addressFindings(evidence, isDirect: isDirect)
      + certificateFindings(evidence.wellKnown, evidence)
      + identity + answers + unmet
    let all =
      own
      + cdnFindings(
        evidence, isDirect: isDirect, isFaultFound: own.contains { $0.severity == .error })
      + vicinityFindings(evidence)
    let counted = all.filter { !policy.ignored.contains($0.code) }
    remarks =
      subject.wildcardRemarks + required.remarks + evidence.addressRemarks
      + (evidence.relatedHosts?.remarks(evidence) ?? [])
      + (isDirect
        ? ["devices with the app fetch the file from the domain, not from Apple's CDN"] : [])
    // Errors come first, sorted by their effect; then warnings, then notes. Otherwise the findings
    // keep their order.
    findings =
      counted.filter { $0.severity == .error }.sortedByEffect
      + counted.filter { $0.severity == .warning } + counted.filter { $0.severity == .note }
  }

  func count(_ severity: Diagnostic.Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  /// The error that the verdict states; nil if there is no error.
  var firstError: Finding? { count(.error) > 0 ? findings.first : nil }

  var outcome: SubjectReport.Outcome {
    let isWrong = findings.contains {
      $0.severity >= policy.threshold && $0.effect != .cdn && $0.effect != .unknown
    }
    if isWrong { return .wrong }
    if findings.contains(where: { $0.effect == .unknown }) { return .unknown }
    return findings.contains { $0.effect == .cdn } ? .cdn : .good
  }

  var exitCode: Int32 {
    switch outcome {
    case .good: 0
    case .wrong: 1
    case .cdn: policy.failsOnCDN ? 3 : 0
    case .unknown: 4
    }
  }

  var isGood: Bool { outcome == .good || outcome == .cdn }

  /// Whether the copy in Apple's CDN differs from the file that the server serves.
  var isCopyOld: Bool { findings.contains { $0.isOf(.cdnCopyDiffers) } }

  var text: String {
    // The verdict already states the message of the first error, so add only the details.
    var lines = [verdict(of: \.coded)] + (firstError?.details ?? [])
    let skipped = [notAsked].compactMap(\.self)
    if firstError == nil { lines += skipped }
    for finding in findings.dropFirst(firstError == nil ? 0 : 1) { lines += [""] + finding.lines }
    if firstError != nil && !skipped.isEmpty { lines += [""] + skipped }
    let fine = fine.map { "  \(padded($0, 11))  \($1)" }
    if !fine.isEmpty { lines += ["", "fine:"] + fine }
    if !remarks.isEmpty { lines += ["", "also:"] + remarks.map { "  " + $0 } }
    if isGood, evidence.link != nil { lines += ["", Self.blindSpots] }
    return lines.map(escapingInvisible).joined(separator: "\n") + "\n"
  }

  /// A line that lists the parts of the check that were skipped. Nil if no part was skipped, if the
  /// verdict already mentions the skipped parts, or if the host is not a public name.
  private var notAsked: String? {
    guard evidence.target.isPublicName else { return nil }
    let isNamed = count(.error) == 0 && isCDNSkipped
    var parts = isCDNSkipped && !isNamed ? ["Apple's CDN"] : []
    if evidence.relatedHosts == nil && !evidence.wellKnown.sent.isEmpty {
      parts += ["port 80", "www", "assetlinks.json", "passkeys"]
    }
    if parts.isEmpty { return nil }
    return "skipped: " + parts.joined(separator: ", ") + (isNamed ? "" : reasonToSkip)
  }

  /// Whether the check did not ask Apple's CDN, although devices get the CDN's copy.
  var isCDNSkipped: Bool { evidence.target.isPublicName && evidence.cdn == nil && !isDirect }

  /// Why parts of the check were skipped, in parentheses for the end of a sentence. Empty if the
  /// reason is only that the user asked to skip them.
  var reasonToSkip: String {
    let target = evidence.target
    let reason =
      target.port.map {
        isNamedByApp
          ? "the app lists the domain with port \($0)" : "the port is \($0), but devices use 443"
      }
      ?? (target.scheme == .http ? "devices use HTTPS only" : nil)
      ?? (evidence.hasOrigin ? "an address for the host was given" : nil)
    return reason.map { " (\($0))" } ?? ""
  }

  /// What may keep a link in the browser although this check found no fault.
  private static let blindSpots =
    "this check cannot see three things: whether the app was reinstalled since the file changed, "
    + "whether the entitlements of the signed app list the domain, and whether the user once "
    + "chose the browser (a long press on the link offers the app again). These links always "
    + "stay in the browser: a typed address, a link on a page of the same domain (use another "
    + "subdomain), a link that the app itself opens, and a link in another app's own browser"

  /// Facts about what is correct, each with a name such as `TLS`. The report lists them under
  /// "fine".
  private var fine: [(name: String, words: String)] {
    let exchange = evidence.wellKnown
    var parts: [(name: String, words: String)] = []
    if let address = exchange.address, !exchange.usesProxy || exchange.tls != nil {
      parts.append((exchange.usesProxy ? "proxy" : "address", "\(address)"))
    }
    if let tls = exchange.tls, tls.verification.isTrusted, let leaf = tls.verification.chain.first {
      let days = leaf.daysLeft(at: evidence.now)
      parts.append(("TLS", tls.version))
      parts.append(
        ("certificate", "issued by \"\(leaf.issuer)\", valid for \(days.counting("more day"))"))
    }
    if let (head, body) = evidence.chosen.response, isFile(evidence.chosen), !body.isEmpty {
      let type = head.value(of: "content-type").map { " of \($0)" } ?? ""
      parts.append(("answer", "status 200, \(body.count) bytes\(type)"))
      if let coding = head.value(of: "content-encoding") {
        parts.append((coding, "\(evidence.chosen.rawBody.count) bytes sent"))
      }
      if evidence.root?.response?.body == body && evidence.wellKnown.response?.body == body {
        parts.append(("both paths", "the same file"))
      }
      if !evidence.identities.isEmpty,
        evidence.identities.allSatisfy({ $0.exchange.response?.body == body }),
        evidence.wellKnown.response?.body == body
      {
        parts.append(("clients", "the same file for Apple's robot, devices and browsers"))
      }
      if let copy = evidence.cdn?.response, copy.head.status == 200, !isPage(copy.body),
        !isCopyOld
      {
        parts.append(("Apple's CDN", "the same file" + age(of: copy.head)))
      }
      if let cache = head.value(of: "cache-control") { parts.append(("caching", cache)) }
    }
    return parts
  }
}

extension [Finding] {
  /// The findings in the order of their effects: first those that affect all devices. Findings with
  /// the same effect keep their order.
  fileprivate var sortedByEffect: [Finding] {
    let order: [Kind.Effect] = [
      .allDevices, .none, .someDevices, .developerMode, .expectation, .cdn, .unknown,
    ]
    return order.flatMap { effect in filter { $0.effect == effect } }
  }
}

extension DomainEvidence {
  /// If the domain has more than `addresses` addresses, how many of them were checked, such as `64
  /// of 70`; otherwise nil.
  var asked: String? {
    if hasOrigin || wellKnown.usesProxy || addresses.count <= Self.addresses { return nil }
    return "\(Self.addresses) of \(addresses.count)"
  }

  /// A remark that some addresses were not checked because this machine has no route to them, or a
  /// remark that all of several addresses were checked. Empty if neither is true.
  fileprivate var addressRemarks: [String] {
    if hasOrigin || wellKnown.usesProxy { return [] }
    var remarks: [String] = []
    let unreached = addresses.filter { isWithoutRoute($0) }
    if !unreached.isEmpty {
      let family = unreached.allSatisfy(\.isIPv4) ? "IPv4" : "IPv6"
      remarks.append(
        "the \(family) addresses were not checked: this machine has no \(family) route")
    } else if addresses.count > 1, asked == nil, isFile(chosen),
      others.allSatisfy({ $0.fault == nil })
    {
      remarks.append("all \(addresses.count) addresses were checked")
    }
    return remarks
  }
}

extension VerdictPolicy {
  /// The minimum severity of a finding that makes a check fail.
  package var threshold: Diagnostic.Severity { failing ?? .error }
}
