package import Diagnostics
package import Rules

/// A part of `aasa check` whose results are printed before the results of the domains.
package protocol CheckTask: Sendable {
  /// The hosts to which the task sends requests.
  var hosts: [String] { get }
  func results(_ context: CheckContext) -> CheckResults
}

package struct CheckResults: Sendable {
  package let subjects: [CheckedSubject]
  /// One sentence that tells the user what to do after the check.
  package var advice: String?
}

/// The settings that all parts of a check share.
package struct CheckContext: Sendable {
  package let settings: ClientSettings
  package let policy: VerdictPolicy
  /// The CDN that the user specified; nil if the user specified no CDN.
  package var cdn: CDNAddress?
  /// Apple's own CDN, which is asked about domains that this CDN can reach. Nil if the check must
  /// not ask Apple's CDN.
  package var apple: CDNAddress?
  /// The address of Google's service, which devices ask; nil if the check must not ask the service.
  package var google: HostTarget?
  /// The number of domains to check at a time.
  package var parallel = 1
  /// The only format in which results are rendered.
  package var form = OutputFormat.text

  package init(_ settings: ClientSettings, _ policy: VerdictPolicy = VerdictPolicy()) {
    self.settings = settings
    self.policy = policy
  }
}
