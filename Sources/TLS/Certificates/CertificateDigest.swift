package import Diagnostics

/// Returns the SHA-256 digest of a certificate in DER, or of the first certificate of a PEM file;
/// nil if there is none.
package func certificateDigest(in source: SourceText) -> [UInt8]? {
  let certificate = X509(der: source.bytes) ?? (try? certificates(in: source))?.first
  return certificate.map { Digest.sha256($0.der.span) }
}
