internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import Gzip
internal import HTTP
internal import Posix
internal import Rules
internal import TLS

/// The file itself, by all rules.
func contentFindings(
  _ exchange: Exchange, _ head: ReceivedHead, _ body: [UInt8]
) -> [Finding] {
  if isPage(body) || body.isEmpty { return [] }
  var options = ValidationOptions()
  let now = Clock.wallSeconds()
  options.signedContent = { signedContent(of: $0, trust: TrustStore.ofSystem, now: now) }
  options.gzipSize = { gzipSize(of: $0) }
  options.includesNotes = false
  let report = validate(SourceText(path: exchange.request.url, bytes: body), options: options)
  return report.diagnostics.filter { $0.severity >= .warning }.map { diagnostic in
    var finding = Finding(diagnostic, isOfUnreadable: !report.isReadable)
    if finding.severity == .error, !report.isReadable || diagnostic.kind.effect == .allDevices {
      finding.effect = .allDevices
    }
    return finding
  }
}
