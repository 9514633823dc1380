internal import AppSiteAssociation
internal import Client
package import Diagnostics
internal import HTTP
internal import TLS

/// The state of a host, as clients on the internet see it. Other parts of this program read the
/// state from this type.
package struct LiveState: Sendable {
  package struct Certificate: Sendable {
    package let isValid: Bool
    package let issuer: String
    /// The last day of the certificate's validity, such as `2027-02-10`.
    package let lastDay: String
    package let daysLeft: Int64
  }

  /// What the server sends at the path of the association file.
  package enum Served: String, Sendable {
    /// A file that means the same as the expected file.
    case same
    case other
    case missing
    /// A file that was not compared, because the user gave no expected file.
    case file
  }

  /// The result that `aasa check` reports.
  package let checked: CheckedSubject
  package let certificate: Certificate?
  package let served: Served
  /// The state of the copy in Apple's CDN; nil if the CDN was not asked.
  package let copy: CDNCopy?
  /// The content of the served `assetlinks.json`; nil if the host serves no such file.
  package let assetLinks: [UInt8]?
}

extension CheckRun {
  /// Returns the public state of the only subject of this run; nil if the subject's host is
  /// invalid.
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
