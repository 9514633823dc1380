package import HTTP
package import Posix

/// What connections and requests are allowed, and who is trusted. All of it can change while the
/// server runs. Documentation/Settings.md gives the reason for each default.
package struct ConnectionOptions: Sendable {
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
  /// Milliseconds within which a client takes another 16 KiB of its answers, or all that is left.
  package var writeTimeout: Int64 = 10_000
  /// Milliseconds between our end of a connection and its being dropped, whatever still comes.
  package var lingerTimeout: Int64 = 2_000
  /// Milliseconds that answers under way get when the server stops.
  package var gracePeriod: Int64 = 10_000
  /// Connections at one time from one client: an IPv4 address or the /64 of an IPv6 one; 0 for a
  /// quarter of all, at most 1,000. Connections from this machine itself are not counted.
  package var maxConnectionsPerClient = 0
  /// Who is believed about the requests and connections that they pass on.
  package var trustedProxies: [Network] = []
  /// Connections of trusted proxies begin with the PROXY protocol's header.
  package var expectsProxyProtocol = false
  /// Milliseconds that a 503 asks to wait: whole seconds.
  package var retryAfter: Int64 = 60_000

  package init() {}
}
