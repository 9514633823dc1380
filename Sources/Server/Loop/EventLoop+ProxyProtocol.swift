internal import Logging
internal import Posix

/// Reads the header of the PROXY protocol, which precedes the first byte of TLS or HTTP.
extension EventLoop {
  /// Reads only the header of the PROXY protocol. The bytes after the header stay in the socket,
  /// because OpenSSL must read them from there.
  mutating func readProxyHeader(_ connection: Connection) {
    let known = connection.input
    var space = scratch.mutableSpan
    switch connection.descriptor.peek(into: &space) {
    case .moved(let count):
      let bytes = known + scratch[..<min(count, ProxyHeader.longestBinary)]
      let wanted: Int
      let header = ProxyHeader(bytes.span)
      switch header {
      case .incomplete: wanted = bytes.count - known.count
      case .complete(let length, _): wanted = length - known.count
      case .malformed:
        // Report every invalid header. The user configured this proxy to send headers, so an
        // invalid header is probably a wrong configuration.
        shared.log.warning("a trusted proxy sent no valid header of the PROXY protocol")
        return close(connection)
      }
      // One call receives the whole header, because all its bytes have arrived.
      var taken = [UInt8](repeating: 0, count: wanted)
      var target = taken.mutableSpan
      guard case .moved(wanted) = connection.descriptor.receive(into: &target) else {
        return close(connection)
      }
      if case .complete(_, let origin) = header { return begin(connection, origin) }
      connection.input = bytes
      watch(connection, for: .read)
    case .wantsRead, .wantsWrite: watch(connection, for: .read)
    case .ended, .failed: close(connection)
    }
  }

  private mutating func begin(_ connection: Connection, _ origin: ProxyHeader.Origin) {
    connection.input = []
    switch origin {
    case .proxy: break
    case .client(let source):
      // Trust a client's forwarding fields only if the client itself is a trusted proxy.
      let isTrusted = settings.proxies.contains(source)
      let client = isTrusted ? nil : counted(source)
      guard take(client) else { return close(connection) }
      connection.client = client
      connection.isTrustedProxy = isTrusted
      connection.peer = source
      connection.lineEnd = processor.observer.lineEnd(client: source)
    case .unknownClient:
      // As the protocol requires, use the address of the connection instead of the unknown address.
      // But the requests are from an unknown client, so do not trust their forwarding fields.
      connection.isTrustedProxy = false
    }
    enter(connection.isSecure ? .handshaking : .idle, connection, watchingFor: nil)
    advance(connection)
  }
}
