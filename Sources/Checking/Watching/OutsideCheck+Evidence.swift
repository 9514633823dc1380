internal import Catalog
internal import Client
internal import Diagnostics
internal import DigitalAssetLinks
internal import HTTP

extension OutsideCheck {
  /// The summary of a report on a domain.
  ///
  /// - Parameter site: The site on this server, for comparison.
  init(_ evidence: DomainEvidence, _ subject: CheckSubject, _ site: Site) {
    var requirements = Requirements()
    if case .served(let file) = site.association {
      requirements.file = associationDocument(file.content.identity.body)
    }
    if case .served(let file) = site.assetLinks {
      requirements.assetLinks = AssetLinksFile(
        SourceText(path: "the file of this server", bytes: file.content.identity.body))
    }
    let findings = CheckReport(evidence, requirements, subject).findings
    let ownFault = findings.first { $0.severity == .error && !$0.isOfOthers }
    let copy = Self.copy(evidence, findings)
    let isUnknown =
      findings.contains { $0.effect == .unknown }
      || evidence.wellKnown.fault.map(isWithoutRoute) ?? false
    let origin: Origin = isUnknown ? .unknown : ownFault == nil ? .good : .failing
    let shown = ownFault ?? findings.first { $0.isOf(.cdnHasNoFile, .cdnCopyDiffers) }
    self.init(
      time: evidence.now, version: site.checkedVersion, origin: origin, copy: copy,
      age: copy == .unknown ? nil : Self.age(evidence),
      fault: shown.map { visibleSentence($0) })
  }

  static func copy(_ evidence: DomainEvidence, _ findings: [Finding]) -> Copy {
    if findings.contains(where: { $0.isOf(.cdnHasNoFile) }) { return .missing }
    if findings.contains(where: { $0.isOf(.cdnCopyDiffers) }) { return .other }
    // Without a file of the domain's own there is nothing to compare with.
    guard evidence.cdn?.response?.head.status == 200, isFile(evidence.chosen) else {
      return .unknown
    }
    return .same
  }

  private static func age(_ evidence: DomainEvidence) -> Int? {
    guard let head = evidence.cdn?.response?.head, head.status == 200 else { return nil }
    return Checking.age(head)
  }
}

extension Finding {
  /// Whether the finding says nothing about the origin. That holds for findings about Apple's CDN,
  /// and for a private address, because the resolvers of many networks return one for their own
  /// names. If the domain has no other address, the CDN reports that.
  fileprivate var isOfOthers: Bool {
    isOf(.privateAddress, .cdnNotAsked, .cdnHasNoFile, .cdnCopyDiffers)
  }
}

/// Returns the finding as a sentence with its code, cut to the length that is kept.
private func visibleSentence(_ finding: Finding) -> String {
  var message = finding.message
  while message.utf8.count > WatchLimits.faultBytes { message.removeLast() }
  return escapingControls("\(message) [\(finding.code)]")
}
