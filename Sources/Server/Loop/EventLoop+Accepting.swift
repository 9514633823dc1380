internal import Bytes
internal import Catalog
internal import Logging
internal import Posix
internal import Settings
internal import TLS

/// Accepts connections, and enforces the limits on their number.
extension EventLoop {
  /// The maximum number of connections that one listening socket accepts in one turn. The limit
  /// keeps existing connections from being delayed.
  private static let acceptedPerTurn = 16

  mutating func accept(from listener: LoopListener) {
    // While draining, accept the whole queue, because the listening socket is closed afterwards.
    var budget = isDraining ? Int(Listener.backlog) : Self.acceptedPerTurn
    while budget > 0 {
      budget -= 1
      var peer: IPAddress?
      switch listener.listener.accept(peer: &peer) {
      case .connection(let descriptor):
        let isHandshaking = admit(descriptor, from: peer, isSecure: listener.isSecure)
        // A handshake delays open connections for as long as about sixty requests would.
        if isHandshaking && !isDraining { return }
      case .none: return
      case .gone: continue
      case .exhausted(let error):
        if !makeRoom(error) { return }
      }
    }
  }

  /// Admits a new connection. Returns whether a TLS handshake has begun.
  private mutating func admit(
    _ descriptor: consuming FileDescriptor, from peer: IPAddress?, isSecure: Bool
  ) -> Bool {
    let isTrustedProxy = isTrusted(peer)
    let client = isTrustedProxy ? nil : counted(peer)
    guard take(client) else { return false }
    while connectionCount >= connectionLimit || isShortOfMemory {
      counters.noteHit(of: .connections)
      if !dropOne() { break }
    }
    let connection = Connection(descriptor, slot: takeSlot(), isSecure: isSecure, peer: peer)
    connections[connection.slot] = connection
    connectionCount += 1
    connection.client = client
    counters.accepted.add(isSecure ? 1 : 0)
    connection.lineEnd = processor.observer.lineEnd(client: peer)
    peakConnections = max(peakConnections, connectionCount)
    connection.isTrustedProxy = isTrustedProxy
    let expectsHeader = isTrustedProxy && settings.options.expectsProxyProtocol
    enter(expectsHeader ? .proxyHeader : connection.state, connection, watchingFor: nil)
    // Read immediately, because the first bytes have usually arrived. If the connection ends after
    // the first response, it never needs to be registered with the poller.
    advance(connection)
    return connection.tls != nil
  }

  private func isTrusted(_ peer: IPAddress?) -> Bool {
    if settings.proxies.isEmpty { return false }
    return peer.map(settings.proxies.contains) ?? false
  }

  /// Returns the client whose limit includes a connection from `peer`. Returns nil for connections
  /// from this machine, because a local tunnel or proxy forwards connections of many clients.
  func counted(_ peer: IPAddress?) -> IPAddress? {
    guard settings.clientLimit < connectionLimit * shared.loops, let peer else { return nil }
    return peer.isLoopback && !shared.countsLoopback ? nil : peer.client
  }

  /// Adds a connection to its client's count. Returns false if the client has reached its limit.
  func take(_ client: IPAddress?) -> Bool {
    guard let client, !shared.clients.take(client, limit: settings.clientLimit) else { return true }
    counters.noteHit(of: .connectionsPerClient)
    if shared.clients.isReportDue(now: now) {
      shared.log.warning(
        """
        one address has \(settings.clientLimit) connections, the limit for one client; further \
        connections are closed (if many clients share that address, for example behind a container \
        engine's relay, raise maxConnectionsPerClient)
        """)
    }
    return false
  }

  /// The number of connections that are allowed even if memory is short.
  private static let fewestConnections = 8

  /// Whether there is not enough memory for another connection. An unfinished handshake takes
  /// several times as much memory as an idle connection.
  private var isShortOfMemory: Bool {
    guard let memoryRoom, shared.context != nil, connectionCount > Self.fewestConnections else {
      return false
    }
    let begun = deadlines.count(in: Connection.Kind.handshaking.rawValue)
    let others = connectionCount - begun
    return (begun + 1) * ConnectionCost.handshake + others * ConnectionCost.idleTLS > memoryRoom
  }

  private mutating func takeSlot() -> Int {
    if let slot = freeSlots.popLast() { return slot }
    connections.append(nil)
    generations.append(0)
    deadlines.addSlot()
    return connections.count - 1
  }

  /// All queues except `keptQueue`.
  private static let unserved = Connection.Kind.allCases.map(\.rawValue)

  /// Drops the least valuable connection: the connection that has been in its state for longest. So
  /// a client that stalls a handshake, a head or a response is dropped before a new client. Idle
  /// connections on which a response has been sent are dropped last, unless they are more than half
  /// of the limit.
  ///
  /// - Returns: False if there is no connection to drop.
  @discardableResult
  private mutating func dropOne() -> Bool {
    let kept = deadlines.first(in: Connection.keptQueue)
    let unserved = deadlines.first(in: Self.unserved)
    let isCrowded = deadlines.count(in: Connection.keptQueue) > connectionLimit / 2
    guard let slot = isCrowded ? kept ?? unserved : unserved ?? kept,
      let connection = connections[slot]
    else { return false }
    // A truncated response must not look complete, so only an idle connection gets a close_notify
    // (RFC 8446 section 6.1).
    if case .idle = connection.state { connection.closeNotify() }
    close(connection)
    return true
  }

  /// Handles a lack of descriptors: drops a connection or else closes the reserve descriptor, so
  /// that the new connection can be accepted. If neither is possible, pauses accepting and returns
  /// false.
  private mutating func makeRoom(_ error: SystemError) -> Bool {
    counters.noteHit(of: .descriptors)
    if !hasReportedExhaustion {
      hasReportedExhaustion = true
      shared.log.warning(
        """
        \(error); waiting connections are dropped to serve new ones (raise the limit of open files)
        """)
    }
    if dropOne() { return true }
    if reserve != nil {
      reserve = nil
      return true
    }
    for listener in listeners where !isAcceptingPaused {
      poller.remove(listener.listener.descriptor)
    }
    isAcceptingPaused = true
    return false
  }

  /// Opens the reserve descriptor again. If that succeeds, resumes accepting.
  mutating func resumeAccepting() {
    if reserve == nil { reserve = FileDescriptor.reserve() }
    guard reserve != nil, isAcceptingPaused else { return }
    for (index, listener) in listeners.enumerated() {
      do throws(SystemError) {
        try poller.add(
          listener.listener.descriptor, token: Token.listener(index).rawValue,
          interest: listener.interest)
      } catch {
        shared.log.error("\(error)")
      }
    }
    isAcceptingPaused = false
  }
}

/// The measured memory of a connection (Documentation/Security.md). It determines how many
/// connections fit into limited memory.
package enum ConnectionCost {
  /// The bytes of an idle connection, plus a share of the memory that busy connections need
  /// temporarily.
  package static func kept(isSecure: Bool) -> Int { isSecure ? 20_480 : 4_096 }

  /// The bytes of an idle TLS connection, and of a connection in its handshake.
  static let idleTLS = 16_384
  static let handshake = 49_152
}
