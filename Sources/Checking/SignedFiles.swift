package import AppSiteAssociation
package import Diagnostics
package import TLS

/// The content of a signed file, and the diagnostics of its signature.
///
/// - Parameter trust: Nil if there is no store of roots: then the signature is not judged.
package func signedContent(of source: SourceText, trust: TrustStore?, now: Int64) -> SignedContent {
  let location = Diagnostic.Location(path: source.path)
  let content: [UInt8]
  do throws(CMSError) {
    content = try CMS.content(of: source.bytes)
  } catch {
    return SignedContent(
      bytes: nil,
      diagnostics: [
        Diagnostic(.signedContentUnreadable, error.message, at: location, help: error.help)
      ])
  }
  guard let trust else { return SignedContent(bytes: content, diagnostics: []) }
  let verdict = CMS.verify(source.bytes, trust: trust, now: now)
  let diagnostic = Diagnostic(
    kind(of: verdict), verdict.message, at: location, help: verdict.help,
    note: "iOS 9 and later need no signature: the JSON alone does the same")
  return SignedContent(bytes: content, diagnostics: [diagnostic])
}

private func kind(of verdict: SignatureVerdict) -> Kind {
  switch verdict {
  case .good: .signatureGood
  case .untrusted: .signatureUntrusted
  case .expired, .notYetValid: .signatureOutOfDate
  case .altered, .noSigner: .signatureBroken
  case .detached, .malformed: .signedContentUnreadable
  }
}
