package import Diagnostics

/// The SHA-256 digest of a certificate, in DER or as the first one of a PEM file; nil if there is
/// none.
package func certificateDigest(in source: SourceText) -> [UInt8]? {
  let certificate = X509(der: source.bytes) ?? (try? certificates(in: source))?.first
  return certificate.map { Digest.sha256($0.der.span) }
}
