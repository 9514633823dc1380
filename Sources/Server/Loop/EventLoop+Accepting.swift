internal import Bytes
internal import Catalog
internal import Logging
internal import Posix
internal import Settings
internal import TLS

/// Accepts connections, and enforces the limits on their number.
extension EventLoop {
  /// The maximum number of connections that one listening socket accepts in one turn of the event
  /// loop. Without a maximum, many new connections could delay the existing ones.
  private static let acceptedPerTurn = 16

  mutating func accept(from listener: LoopListener) {
    // While the server stops, accept all connections in the socket's queue, because closing the
    // listening socket would reset them.
    var budget = isDraining ? Int(Listener.backlog) : Self.acceptedPerTurn
    while budget > 0 {
      budget -= 1
      var peer: IPAddress?
      switch listener.listener.accept(peer: &peer) {
      case .connection(let descriptor):
        let isHandshaking = admit(descriptor, from: peer, isSecure: listener.isSecure)
        // After a handshake, accept no more connections in this turn: one handshake takes about as
        // long as sixty requests, and existing connections wait.
        if isHandshaking && !isDraining { return }
      case .none: return
      case .gone: continue
      case .exhausted(let error):
        if !makeRoom(error) { return }
      }
    }
  }

  /// Adds a new connection to the loop, unless the client has reached its limit on connections.
  /// Returns whether a TLS handshake has begun.
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
    // its first response, it is never added to the poller.
    advance(connection)
    return connection.tls != nil
  }

  private func isTrusted(_ peer: IPAddress?) -> Bool {
    if settings.proxies.isEmpty { return false }
    return peer.map(settings.proxies.contains) ?? false
  }

  /// Returns the address whose limit on connections applies to a connection from `peer`; nil if no
  /// limit per client applies. No such limit applies to connections from this machine, because a
  /// local tunnel or proxy forwards the connections of many clients. Nor does it apply if the limit
  /// is so high that no client can reach it.
  func counted(_ peer: IPAddress?) -> IPAddress? {
    guard settings.clientLimit < connectionLimit * shared.loops, let peer else { return nil }
    return peer.isLoopback && !shared.countsLoopback ? nil : peer.client
  }

  /// Counts a new connection of a client. Returns false if the client has reached its limit. If the
  /// client is nil, no limit applies.
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

  /// The number of connections that are always allowed, even if memory is short.
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

  /// The queues of all connections except idle connections on which a response has been sent.
  private static let unserved = Connection.Kind.allCases.map(\.rawValue)

  /// Drops the least valuable connection: the connection that has been in its state for longest. So
  /// a client that stalls a handshake, a head or a response is dropped before a new client. Idle
  /// connections on which a response has been sent are dropped last. But if there are more of these
  /// than half of `connectionLimit`, they are dropped first.
  ///
  /// - Returns: Whether a connection was dropped. False if there is no connection.
  @discardableResult
  private mutating func dropOne() -> Bool {
    let kept = deadlines.first(in: Connection.keptQueue)
    let unserved = deadlines.first(in: Self.unserved)
    let isCrowded = deadlines.count(in: Connection.keptQueue) > connectionLimit / 2
    guard let slot = isCrowded ? kept ?? unserved : unserved ?? kept,
      let connection = connections[slot]
    else { return false }
    // A client must not take a truncated response for a complete one. So only an idle connection
    // gets a close_notify (RFC 8446 section 6.1).
    if case .idle = connection.state { connection.closeNotify() }
    close(connection)
    return true
  }

  /// Frees a descriptor for a new connection when the system has no free descriptor. Drops a
  /// connection or, if there is no connection, closes the reserve descriptor. If neither is
  /// possible, pauses accepting and returns false.
  private mutating func makeRoom(_ error: SystemError) -> Bool {
    counters.noteHit(of: .descriptors)
    if !hasReportedExhaustion {
      hasReportedExhaustion = true
      shared.log.warning(
        """
        \(error); open connections are closed to accept new connections (raise the limit of \
        open files)
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

  /// Opens the reserve descriptor again, and resumes accepting if a descriptor was available.
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

/// The memory of one connection, as measured (see Documentation/Security.md). These numbers
/// determine how many connections fit into limited memory.
package enum ConnectionCost {
  /// The bytes of memory to plan for one connection: the memory of an idle connection, plus a share
  /// of the memory that busy connections need temporarily.
  package static func kept(isSecure: Bool) -> Int { isSecure ? 20_480 : 4_096 }

  /// The memory in bytes of a TLS connection that waits for a request.
  static let idleTLS = 16_384
  /// The memory in bytes of a connection during its TLS handshake.
  static let handshake = 49_152
}
