internal import Client
package import Diagnostics
internal import DigitalAssetLinks
internal import HTTP

/// The result of one check of a watched domain.
package struct WatchOutcome: Sendable {
  /// Seconds since 1970.
  package let time: Int64
  /// Whether this machine reached the domain or Apple's CDN.
  let reachedAnything: Bool
  package let origin: OriginState
  package let copy: CDNCopy
  /// The age of the copy in seconds, according to the CDN.
  package let age: Int?
  /// The first fault to fix, as a sentence in lower case with its code.
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
      // If the domain has no file, the CDN's copy cannot be compared with the file.
      self = .unknown
    }
  }
}

extension WatchOutcome {
  /// Summarizes the report on a domain.
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
    // A name with a private address does not show whether this machine can reach the internet.
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
  /// Whether the finding is about Apple's CDN and not about the origin.
  fileprivate var isOfOthers: Bool { isOf(.cdnNotAsked, .cdnHasNoFile, .cdnCopyDiffers) }
}

/// Returns the finding and its code as one line, truncated to `WatchLimits.faultBytes`.
private func visibleSentence(_ finding: Finding) -> String {
  var message = finding.message
  while message.utf8.count > WatchLimits.faultBytes { message.removeLast() }
  return escapingInvisible("\(message) [\(finding.code)]")
}
