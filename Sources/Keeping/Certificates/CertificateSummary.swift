/// A summary of the served certificates.
package struct CertificateSummary: Sendable {
  package let folder: String
  /// The number of served certificates, and of all certificates.
  package let count: Int
  package let total: Int
  /// The host names of all certificates.
  package let names: [String]
  /// When the first of them expires, in seconds since 1970; nil if none is served.
  package let firstExpiry: Int64?
}
