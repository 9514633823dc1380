internal import Bytes
package import Diagnostics

/// A signer: a certificate, its private key, and the certificates to include in signed files.
package final class SigningIdentity: Sendable {
  let certificate: X509
  let key: PrivateKey
  /// The certificates that complete the chain, without duplicates and without the signer's
  /// certificate.
  let others: [X509]
  /// The first second of the certificate's validity period, in seconds since 1970.
  package let notBefore: Int64
  /// The last second of the certificate's validity period, in seconds since 1970.
  package let notAfter: Int64

  /// The common name of the certificate's subject.
  package var subject: String { certificate.subject }

  /// Returns nil if `now`, in seconds since 1970, is within the certificate's validity period.
  /// Otherwise returns a warning, because readers of a signed file refuse the certificate.
  package func validityWarning(at now: Int64) -> String? {
    if now > notAfter {
      return
        "the certificate \"\(subject)\" expired on \(day(notAfter)); devices refuse files that "
        + "this certificate signed; use a valid certificate"
    }
    if now < notBefore {
      return "the certificate \"\(subject)\" is not valid before \(day(notBefore)); check this "
        + "machine's clock"
    }
    return nil
  }

  /// Reads the signer's certificate, its key and the certificates to include from PEM files.
  ///
  /// The signer is the first certificate in the file `certificate` that belongs to the key. All
  /// other certificates in the files `certificate` and `chain` are included in signed files, so
  /// `certificate` may be certbot's fullchain.pem. Never asks for a passphrase. Throws
  /// `CMSError.file`, which contains the path of the file.
  package init(
    certificate: SourceText, key: SourceText, chain: SourceText? = nil
  ) throws(CMSError) {
    var others = try certificates(in: certificate)
    let privateKey = try SigningIdentity.key(in: key)
    guard let position = others.firstIndex(where: { $0.matches(privateKey) }) else {
      throw .file(.keyMismatch(chain: certificate.path, key: key.path))
    }
    let signer = others.remove(at: position)
    guard let validity = signer.validity else {
      throw .file(.undecodable(.init(path: certificate.path), what: "certificate"))
    }
    if let chain { others += try certificates(in: chain) }
    guard others.count < TLSLimits.chainCertificates else {
      let path = chain?.path ?? certificate.path
      throw .file(.tooManyCertificates(path: path, count: others.count + 1))
    }
    var kept: [X509] = []
    for other in others where !([signer] + kept).contains(where: { $0.equals(other) }) {
      kept.append(other)
    }
    (self.certificate, self.key, self.others) = (signer, privateKey, kept)
    (notBefore, notAfter) = (validity.notBefore, validity.notAfter)
  }

  private static func key(in source: SourceText) throws(CMSError) -> PrivateKey {
    do throws(CertificateFault) {
      let found = try PEMFile(source).key(
        missing: .noKey(chain: source.path, key: source.path), isForSigning: true)
      let (key, kind) = try found.privateKey()
      // No reader of signed files supports Ed25519 signatures.
      if kind == .ed25519 { throw .keyUnsupported(found.location, name: "Ed25519") }
      return key
    } catch {
      throw .file(error)
    }
  }
}

/// Returns the certificates of a PEM file. Throws if the file contains no certificate.
func certificates(in source: SourceText) throws(CMSError) -> [X509] {
  let items = try mapping(PEMFile(source).certificates(), to: CMSError.file)
  // All certificates after the first are probably intermediates. Other files probably contain the
  // same intermediates, so share their memory.
  return try items.indices.map { index throws(CMSError) in
    try mapping(items[index].certificate(isShared: index > 0), to: CMSError.file)
  }
}
