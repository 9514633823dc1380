package import HTTP

extension Server {
  /// The limits of the server, all in one place. The README gives the reason for each default.
  package struct Options: Sendable {
    /// Limits of one request's head and body.
    package var request = RequestLimits()
    /// Milliseconds for a whole head, from its first byte.
    package var headTimeout: Int64 = 10_000
    /// Milliseconds for a whole body, from the end of its head.
    package var bodyTimeout: Int64 = 10_000
    /// Milliseconds for a TLS handshake.
    package var handshakeTimeout: Int64 = 10_000
    /// Milliseconds that a connection may stay without a request.
    package var idleTimeout: Int64 = 60_000
    /// Milliseconds within which a client takes another 16 KiB of its answers, or all
    /// that is left.
    package var writeTimeout: Int64 = 10_000
    /// Milliseconds between our end of a connection and its being dropped, whatever still comes.
    package var lingerTimeout: Int64 = 2_000
    /// Milliseconds that answers under way get when the server stops.
    package var gracePeriod: Int64 = 10_000
    /// Connections at one time, over all event loops; beyond it the idlest goes.
    package var maxConnections = 10_000
    /// Connections at one time from one client: an IPv4 address or the /64 of an IPv6 one; 0 for no
    /// such limit. Connections from this machine itself are not counted.
    package var maxConnectionsPerClient = 0
    /// They are counted all the same: for tests, which have no other address.
    var countsLoopback = false
    /// Event loops, each with its thread.
    package var threads = 1
    /// Who is believed about the requests and connections that they pass on.
    package var trustedProxies = TrustedProxies()
    /// Connections of trusted proxies begin with the PROXY protocol's header.
    package var expectsProxyProtocol = false
    /// Nil for none.
    package var accessLog: AccessLogOptions?
    /// Seconds that a 503 asks to wait.
    package var retryAfter = 60

    package init() {}
  }
}
