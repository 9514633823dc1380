internal import Client
package import Diagnostics
internal import DigitalAssetLinks
internal import HTTP

/// The outcome of one check of a domain of this server.
package struct WatchOutcome: Sendable {
  /// The time of the check, in seconds since 1970.
  package let time: Int64
  /// Whether this machine could reach the domain or Apple's CDN. If false, the network of this
  /// machine may be the cause.
  let reachedAnything: Bool
  package let origin: OriginState
  package let copy: CDNCopy
  /// The age of the CDN's copy in seconds, as the CDN states it; nil if unknown.
  package let age: Int?
  /// The fault to fix first, as one lower-case sentence with the fault's code; nil if the check
  /// found no fault.
  package let fault: String?
}

extension CDNCopy {
  init(_ evidence: DomainEvidence, _ findings: [Finding]) {
    if findings.contains(where: { $0.isOf(.cdnHasNoFile) }) {
      self = .missing
    } else if findings.contains(where: { $0.isOf(.cdnCopyDiffers) }) {
      self = .other
    } else if evidence.cdn?.response?.head.status == 200, isFile(evidence.chosen) {
      self = .same
    } else {
      // The check got no copy from the CDN or no file from the domain, so it cannot compare the
      // two.
      self = .unknown
    }
  }
}

extension WatchOutcome {
  /// Makes the outcome from all answers about a domain.
  init(_ evidence: DomainEvidence, _ subject: CheckSubject, _ domain: WatchedDomain) {
    var requirements = Requirements()
    if let file = domain.association { requirements.file = associationDocument(file) }
    if let file = domain.assetLinks {
      requirements.assetLinks = AssetLinksFile(
        SourceText(path: "the file of this server", bytes: file))
    }
    let findings = CheckReport(evidence, requirements, subject).findings
    let obstacle = findings.first { $0.effect == .unknown }
    let ownFault = obstacle ?? findings.first { $0.severity == .error && !$0.isOfOthers }
    let isUnknown =
      obstacle != nil
      || evidence.wellKnown.fault.map(evidence.world.isWithoutRoute) ?? false
    // This domain has a private address, so the check makes no request. This does not show that
    // this machine cannot reach the internet.
    let isRefused = if case .privateAddress = evidence.wellKnown.fault { true } else { false }
    reachedAnything = !isUnknown || isRefused
    let shown = ownFault ?? findings.first { $0.isOf(.cdnHasNoFile, .cdnCopyDiffers) }
    time = evidence.now
    origin = isUnknown ? .unknown : ownFault == nil ? .good : .failing
    copy = CDNCopy(evidence, findings)
    age = copy == .unknown ? nil : Self.age(evidence)
    fault = shown.map { visibleSentence($0) }
  }

  private static func age(_ evidence: DomainEvidence) -> Int? {
    guard let head = evidence.cdn?.response?.head, head.status == 200 else { return nil }
    return Checking.age(head)
  }
}

extension Finding {
  /// Whether the finding is about Apple's CDN and not about this server.
  fileprivate var isOfOthers: Bool { isOf(.cdnNotAsked, .cdnHasNoFile, .cdnCopyDiffers) }
}

/// Returns one line with the message of a finding, cut to `WatchLimits.faultBytes`, and the
/// finding's code.
private func visibleSentence(_ finding: Finding) -> String {
  var message = finding.message
  while message.utf8.count > WatchLimits.faultBytes { message.removeLast() }
  return escapingInvisible("\(message) [\(finding.code)]")
}
