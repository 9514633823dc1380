package import HTTP
package import Posix

/// The limits of connections and requests, and the trusted proxies. All of these options can change
/// while the server runs. Documentation/Settings.md explains the defaults.
package struct ConnectionOptions: Sendable {
  /// The limits of one request's head and body.
  package var request = RequestLimits()
  /// The time limit, in milliseconds, for receiving a whole head, from the head's first byte on.
  package var headTimeout: Int64 = 10_000
  /// The time limit, in milliseconds, for receiving a whole body, from the end of the head on.
  package var bodyTimeout: Int64 = 10_000
  /// Milliseconds within which a TLS handshake must finish.
  package var handshakeTimeout: Int64 = 10_000
  /// Milliseconds for which a connection may stay open without a request.
  package var idleTimeout: Int64 = 60_000
  /// The time limit, in milliseconds, within which a client must receive the next 16 KiB of its
  /// responses, or the rest of the responses if the rest is shorter.
  package var writeTimeout: Int64 = 10_000
  /// After closing its side of a connection, the server drops the connection within this number of
  /// milliseconds, even if bytes still arrive.
  package var lingerTimeout: Int64 = 2_000
  /// Milliseconds for which a stopping server lets requests in flight continue.
  package var gracePeriod: Int64 = 10_000
  /// Milliseconds that a stopping server waits for a client to send the rest of a head. This value
  /// is not a setting, but a test on a busy machine can set a longer time.
  package var drainAllowance: Int64 = 1_000
  /// The maximum number of simultaneous connections from one client: an IPv4 address or an IPv6
  /// /64. If 0, the maximum is a quarter of `maxConnections`, but at least 16 and at most 1,000.
  /// Connections from this machine are not limited.
  package var maxConnectionsPerClient = 0
  /// The proxies whose information about forwarded requests and connections is trusted.
  package var trustedProxies: [Network] = []
  /// Whether connections of trusted proxies begin with the header of the PROXY protocol.
  package var expectsProxyProtocol = false
  /// The value of `Retry-After` in a 503 response, in milliseconds. This value is a multiple of
  /// 1,000, because clients receive it in seconds.
  package var retryAfter: Int64 = 60_000

  package init() {}
}
