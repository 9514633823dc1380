internal import Logging
internal import Posix

/// The PROXY protocol's header, before the first byte of TLS or HTTP.
extension EventLoop {
  /// Reads no byte beyond the header, because OpenSSL reads the bytes that follow itself.
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
        // Whatever it is, it is not what this proxy was configured to send.
        shared.log.warning("a trusted proxy sent no valid header of the PROXY protocol")
        return close(connection)
      }
      // The bytes have arrived, so one call receives them all.
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
      // A client's fields are trusted only if it is a trusted proxy too.
      let isTrusted = settings.proxies.contains(source)
      let client = isTrusted ? nil : counted(source)
      guard take(client) else { return close(connection) }
      connection.client = client
      connection.isTrustedProxy = isTrusted
      connection.peer = source
      connection.lineEnd = processor.observer.lineEnd(client: source)
    case .unknownClient:
      // The connection's own address counts, as the protocol demands, but it is not trusted.
      connection.isTrustedProxy = false
    }
    enter(connection.isSecure ? .handshaking : .idle, connection, watchingFor: nil)
    advance(connection)
  }
}
