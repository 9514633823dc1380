package import AppSiteAssociation
package import Diagnostics
package import TLS

/// Returns the content of a signed file, and the diagnostics of its signature.
///
/// - Parameter trust: The trusted roots; nil to skip the judgement of the signature.
package func signedContent(of source: SourceText, trust: TrustStore?, now: Int64) -> SignedContent {
  do throws(CMSError) {
    let (content, verdict) = try CMS.open(
      source.bytes, trust.map { CMS.Question.trust($0, now: now) } ?? .contentOnly)
    let diagnostic = verdict?.diagnostic(
      at: source.path, note: "iOS 9 and later need no signature: the JSON alone does the same")
    return SignedContent(bytes: content, diagnostics: [diagnostic].compactMap(\.self))
  } catch {
    return SignedContent(bytes: nil, diagnostics: [error.diagnostic(at: source.path)])
  }
}
