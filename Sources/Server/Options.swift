package import Hosting

extension Server {
  /// How the server is set up when it starts.
  package struct Options: Sendable {
    /// Event loops, each with its thread.
    package var threads: Int
    /// Connections at one time, over all event loops; beyond it the one that has waited longest goes.
    package var maxConnections: Int
    /// What can change while it runs.
    package var connections = ConnectionOptions()
    /// Nil for none.
    package var accessLog: AccessLogOptions?
    /// Connections from this machine are counted all the same: for tests, which have no other
    /// address.
    var countsLoopback = false

    package init(threads: Int, maxConnections: Int) {
      self.threads = threads
      self.maxConnections = maxConnections
    }
  }
}
