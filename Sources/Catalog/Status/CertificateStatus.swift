package import TLS

/// The state of one certificate of the folder.
package struct CertificateStatus: Sendable {
  /// The name of its files without extension, or of its folder.
  package let name: String
  /// The file of its chain, relative to its certificates folder; unique there.
  package let file: String
  /// The served certificate; nil if there was no good version yet.
  package let certificate: Certificate?
  package let problem: Problem?
  /// Whether this is an automatic certificate.
  package var isIssuedHere = false

  package init(
    name: String, file: String, certificate: Certificate?, problem: Problem?,
    isIssuedHere: Bool = false
  ) {
    self.name = name
    self.file = file
    self.certificate = certificate
    self.problem = problem
    self.isIssuedHere = isIssuedHere
  }
}
