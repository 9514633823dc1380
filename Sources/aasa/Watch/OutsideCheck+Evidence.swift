internal import Client
internal import Diagnostics
internal import HTTP
internal import Server

extension OutsideCheck {
  /// What a report on a domain comes to.
  init(_ evidence: DomainEvidence, _ subject: CheckSubject) {
    let findings = CheckReport(evidence, Wishes(), subject).findings
    let ownFault = findings.first { $0.severity == .error && !Self.othersCodes.contains($0.code) }
    let copy = Self.copy(evidence, findings)
    let origin: Origin =
      ownFault == nil ? .good : Self.isCutOff(evidence) ? .unknown : .failing
    let shown = ownFault ?? findings.first { ["F061", "F062"].contains($0.code) }
    self.init(
      time: evidence.now, origin: origin, copy: copy,
      age: copy == .unknown ? nil : Self.age(evidence),
      fault: shown.map { visibleSentence($0) })
  }

  /// What says nothing of the origin: the findings on Apple's CDN, and a private address, as the
  /// resolvers of many networks give it for names of their own. Should it be the only one, the CDN
  /// says so.
  private static let othersCodes: Set<String> = ["F003", "F060", "F061", "F062"]

  private static func copy(_ evidence: DomainEvidence, _ findings: [Finding]) -> Copy {
    if findings.contains(where: { $0.code == "F061" }) { return .missing }
    if findings.contains(where: { $0.code == "F062" }) { return .other }
    // Without a file of the domain's own there is nothing to compare with.
    guard evidence.cdn?.response?.head.status == 200, isFile(evidence.chosen) else {
      return .unknown
    }
    return .same
  }

  private static func age(_ evidence: DomainEvidence) -> Int? {
    guard let head = evidence.cdn?.response?.head, head.status == 200 else { return nil }
    return head.value(of: "age").flatMap { Int($0) }
      .flatMap { (0..<100_000_000).contains($0) ? $0 : nil }
  }

  /// Whether neither the domain nor the CDN could be connected to: then it is this machine's network
  /// that is not right.
  private static func isCutOff(_ evidence: DomainEvidence) -> Bool {
    guard let cdn = evidence.cdn else { return false }
    return [evidence.wellKnown, cdn].allSatisfy { exchange in
      switch exchange.fault {
      case .unresolved, .unreachable, .proxy: true
      default: false
      }
    }
  }
}

/// With its code, and not longer than is kept.
private func visibleSentence(_ finding: Finding) -> String {
  var message = finding.message
  while message.utf8.count > WatchLimits.faultBytes { message.removeLast() }
  return escapingControls("\(message) [\(finding.code)]")
}
