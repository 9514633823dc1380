internal import AppSiteAssociation
internal import Client
package import Diagnostics
internal import HTTP
internal import TLS

/// The public state of a host, as a few facts for other programs.
package struct LiveState: Sendable {
  package struct Certificate: Sendable {
    package let isValid: Bool
    package let issuer: String
    /// The last day of the certificate's validity, such as `2027-02-10`.
    package let lastDay: String
    package let daysLeft: Int64
  }

  /// The content at the path of the association file.
  package enum Served: String, Sendable {
    /// The content is equivalent to the expected file.
    case same
    case other
    case missing
    /// The content is a file, but the caller gave no file to compare with.
    case file
  }

  /// The report of `aasa check`.
  package let checked: CheckedSubject
  package let certificate: Certificate?
  package let served: Served
  /// The state of the copy on Apple's CDN; nil if it was not checked.
  package let copy: CDNCopy?
  /// The content of `assetlinks.json`; nil if there is none.
  package let assetLinks: [UInt8]?
}

extension CheckRun {
  /// Returns the public state of the run's only subject; nil if its host is invalid.
  package func liveState() -> LiveState? {
    guard let subject = subjects.first, let evidence = evidence(of: subject) else { return nil }
    return LiveState(
      evidence, CheckReport(evidence, requirements, subject, context.policy),
      isCompared: requirements.file != nil)
  }
}

extension LiveState {
  init(_ evidence: DomainEvidence, _ report: CheckReport, isCompared: Bool) {
    checked = CheckedSubject(report, nil, milliseconds: 0)
    let verification = evidence.wellKnown.tls?.verification
    certificate = verification?.chain.first.map { leaf in
      Certificate(
        isValid: verification?.isTrusted ?? false, issuer: leaf.issuer, lastDay: leaf.lastDay,
        daysLeft: leaf.daysLeft(at: evidence.now))
    }
    if !isFile(evidence.chosen) {
      served = .missing
    } else if !isCompared {
      served = .file
    } else {
      served = report.findings.contains { $0.isOf(.otherThanExpectedFile) } ? .other : .same
    }
    copy = evidence.cdn.map { _ in CDNCopy(evidence, report.findings) }
    let links = evidence.relatedHosts?.assetLinks?.response
    assetLinks = links.flatMap { $0.head.status == 200 ? $0.body : nil }
  }
}
