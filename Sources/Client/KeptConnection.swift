internal import HTTP
internal import Posix

/// A connection that stays open for the next request to the same server. Also stores the server's
/// addresses, which are reused for a minute. Only one thread may use this object.
package final class KeptConnection {
  private var connection: Connection?
  private var server = ""
  private var found: (addresses: [SocketAddress], until: Int64)?

  package init() {}

  /// Returns the open connection to the request's server; nil if there is none. The caller then
  /// owns the connection. This class never repeats a request: if a request on the connection fails,
  /// the caller must repeat the request.
  func take(_ request: FetchRequest) -> Connection? {
    defer { connection = nil }
    guard let connection, server == Self.server(request), connection.isQuiet else { return nil }
    return connection
  }

  func keep(_ connection: Connection, for request: FetchRequest) {
    forgetOthers(request)
    self.connection = connection
  }

  func addresses(for request: FetchRequest) -> [SocketAddress]? {
    guard let found, server == Self.server(request), found.until > Clock.monotonicMilliseconds()
    else { return nil }
    return found.addresses
  }

  func keep(_ addresses: [SocketAddress], for request: FetchRequest) {
    forgetOthers(request)
    found = (addresses, Clock.monotonicMilliseconds() + ClientLimits.keptAddresses)
  }

  /// Forgets the addresses, so that the next request looks them up again.
  func forgetAddresses() { found = nil }

  private func forgetOthers(_ request: FetchRequest) {
    let name = Self.server(request)
    if server != name { (connection, found) = (nil, nil) }
    server = name
  }

  private static func server(_ request: FetchRequest) -> String {
    "\(request.scheme.rawValue)://\(request.authority)"
  }
}
