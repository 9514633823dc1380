package import TLS

/// How one certificate of the folder stands.
package struct CertificateStatus: Sendable {
  /// The name of its files without their ending, or of its folder.
  package let name: String
  /// The file of its chain, seen from the certificates folder: no other has the same.
  package let file: String
  /// What is served; nil when there was no good version yet.
  package let certificate: Certificate?
  package let trouble: Trouble?
}
