package import Posix
package import TLS

/// What the server at an address shows in the handshake for a host; nil when there was none. Nothing
/// is asked for.
///
/// - Parameter protocolName: the one that is offered by ALPN.
package func handshake(
  for host: String, at address: SocketAddress, protocolName: String = "http/1.1",
  context: ClientContext, milliseconds: Int64 = 5_000
) -> TLSFacts? {
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
  return connection.tlsFacts(now: Clock.wallSeconds())
}
