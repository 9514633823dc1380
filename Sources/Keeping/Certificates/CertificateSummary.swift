/// A summary of the served certificates.
package struct CertificateSummary: Sendable {
  package let folder: String
  /// The number of served certificates, and of all certificates.
  package let count: Int
  package let total: Int
  /// The host names of all certificates.
  package let names: [String]
  /// Seconds since 1970 at which the first of them expires; nil if none is served.
  package let firstExpiry: Int64?
}
