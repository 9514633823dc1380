package import Catalog
package import Settings

extension Server {
  /// The options of the server at its start.
  package struct Options: Sendable {
    /// The number of event loops, each with a thread.
    package var threads: Int
    /// The most connections at one time, over all event loops. Beyond that, the one that has waited
    /// longest is closed.
    package var maxConnections: Int
    /// The options that can change while the server runs.
    package var connections = ConnectionOptions()
    /// The well-known files that are served besides those of app associations.
    package var wellKnown = WellKnownFiles()
    /// Nil for no access log.
    package var accessLog: AccessLogOptions?
    /// The answers to ACME challenges; nil if no certificates are issued.
    package var challenges: ChallengeAnswers?
    /// Whether connections from this machine count toward the limit per client. For tests, which
    /// have no other address.
    var countsLoopback = false

    package init(threads: Int, maxConnections: Int) {
      self.threads = threads
      self.maxConnections = maxConnections
    }
  }
}
