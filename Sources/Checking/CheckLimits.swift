/// The limits of lists of domains.
package enum CheckLimits {
  package static let listBytes = 1_048_576
  package static let domains = 10_000
  /// Domains that are checked in parallel: enough to hide waiting times, too few to burden Apple's
  /// CDN.
  package static let parallel = 4
  package static let mostParallel = 32
  /// Milliseconds after which the rest of the requests to one server are made in parallel.
  static let succession: Int64 = 1_000
  /// The number of findings about the user's requirements of one kind; the rest is counted.
  static let requirementFindings = 10
}
