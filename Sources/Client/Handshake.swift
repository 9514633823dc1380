package import Posix
package import TLS

/// Connects to an address, and makes a TLS handshake for a host, but sends no request. Returns the
/// agreed protocol and the serial number of the server's unverified certificate. Returns nil if the
/// connection or the handshake failed.
///
/// - Parameter protocolName: The protocol to offer by ALPN.
package func handshake(
  for host: String, at address: SocketAddress, protocolName: String = "http/1.1",
  context: ClientContext, milliseconds: Int64
) -> (agreedProtocol: String, serial: String?)? {
  let deadline = Deadline(afterMilliseconds: milliseconds)
  guard let descriptor = try? FileDescriptor.connected(to: address, until: deadline) else {
    return nil
  }
  let connection = Connection(descriptor)
  guard
    (try? connection.startTLS(
      context, host: host, protocolName: protocolName, until: deadline)) != nil
  else { return nil }
  defer { connection.close() }
  return connection.agreement
}
