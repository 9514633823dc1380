/// How much is read of lists of domains.
package enum CheckLimits {
  package static let listBytes = 1_048_576
  package static let domains = 10_000
  /// Domains that are looked at beside each other: enough to hide waiting, too few to be a burden
  /// for Apple's CDN.
  package static let parallel = 4
  package static let mostParallel = 32
  /// Findings of one kind about wishes of the user; the rest is counted.
  static let wishFindings = 10
}
