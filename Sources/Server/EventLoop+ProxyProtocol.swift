internal import Logging
internal import Posix

/// The PROXY protocol's header, before the first byte of TLS or HTTP.
extension EventLoop {
  /// Reads no byte beyond the header: what follows it may be OpenSSL's, which reads by itself.
  mutating func readProxyHeader(_ connection: Connection, _ slot: Int) {
    guard let known = connection.proxyHeader else { return }
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
        // Whatever it is, it is not what was agreed with this proxy.
        shared.log.warning("a trusted proxy sent no valid header of the PROXY protocol")
        return close(slot)
      }
      // They are there: taking them takes all of them.
      var taken = [UInt8](repeating: 0, count: wanted)
      var target = taken.mutableSpan
      guard case .moved(wanted) = connection.descriptor.receive(into: &target) else {
        return close(slot)
      }
      if case .complete(_, let source) = header { return begin(connection, slot, source) }
      connection.proxyHeader = bytes
      watch(connection, slot, for: .read)
    case .wantsRead, .wantsWrite: watch(connection, slot, for: .read)
    case .ended, .failed: close(slot)
    }
  }

  /// - Parameter source: nil when the proxy speaks for itself.
  private mutating func begin(_ connection: Connection, _ slot: Int, _ source: PeerAddress?) {
    connection.proxyHeader = nil
    if let source {
      connection.peer = source
      connection.lineEnd = []
      // What its client says is believed only when that is a trusted proxy too.
      connection.isTrustedProxy = shared.options.trustedProxies.contains(source)
    }
    if connection.isSecure { return continueHandshake(connection, slot) }
    enter(.idle, connection, slot)
    read(connection, slot)
  }
}
