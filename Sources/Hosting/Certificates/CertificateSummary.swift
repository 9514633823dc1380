/// What certificates are served, in short.
package struct CertificateSummary: Sendable {
  package let folder: String
  package let count: Int
  /// The host names of all certificates.
  package let names: [String]
  /// Seconds since 1970 at which the first of them expires.
  package let firstExpiry: Int64?
}
