/// What certificates are served, in short.
package struct CertificateSummary: Sendable {
  package let folder: String
  /// How many are served, and how many there are.
  package let count: Int
  package let total: Int
  /// The host names of all certificates.
  package let names: [String]
  /// Seconds since 1970 at which the first of them expires; nil when none is served.
  package let firstExpiry: Int64?
}
