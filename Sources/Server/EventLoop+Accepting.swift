internal import Hosting
internal import Logging
internal import Posix
internal import TLS

/// New connections, and what happens when there are too many.
extension EventLoop {
  /// Connections taken from one listening socket in one turn, so that those that are already
  /// here get their turn too.
  private static let acceptedPerTurn = 16

  mutating func accept(from listener: LoopListener) {
    // While draining the queue is emptied, for there will be no other turn.
    var budget = isDraining ? Int(Listener.backlog) : Self.acceptedPerTurn
    while budget > 0 {
      budget -= 1
      var peer: PeerAddress?
      switch listener.listener.accept(peer: &peer) {
      case .connection(let descriptor):
        admit(descriptor, from: peer, isSecure: listener.isSecure)
      case .none: return
      case .gone: continue
      case .exhausted(let error):
        if !makeRoom(error) { return }
      }
    }
  }

  private mutating func admit(
    _ descriptor: consuming FileDescriptor, from peer: PeerAddress?, isSecure: Bool
  ) {
    let isTrustedProxy = isTrusted(peer)
    let client = isTrustedProxy ? nil : counted(peer)
    // Who has taken more than its share gets no more; the others are not made to pay for it.
    if let client, clients[client, default: 0] >= clientLimit {
      counters.limits.add(Int(ServerLimit.connectionsPerClient.rawValue))
      return
    }
    if connectionCount >= connectionLimit {
      counters.limits.add(Int(ServerLimit.connections.rawValue))
      dropIdlest()
    }
    var session: Session?
    if isSecure {
      guard let context = shared.context, let material = catalog.material else { return }
      do throws(TLSError) {
        session = try Session(context: context, material: material, descriptor: descriptor)
      } catch {
        shared.log.warning("a connection was dropped: \(error)")
        return
      }
    }
    let slot = takeSlot()
    let connection = Connection(descriptor, tls: session, peer: peer, client: client)
    if isTrustedProxy {
      connection.isTrustedProxy = true
      if shared.options.expectsProxyProtocol { connection.expectProxyHeader() }
    }
    if let client { clients[client, default: 0] += 1 }
    connections[slot] = connection
    connectionCount += 1
    counters.accepted.add(isSecure ? 1 : 0)
    peakConnections = max(peakConnections, connectionCount)
    enter(connection.phase, connection, slot)
    // Its first bytes are most often here already; the poller need not know of a connection that
    // ends with its first answer.
    advance(connection, slot)
  }

  private func isTrusted(_ peer: PeerAddress?) -> Bool {
    if shared.options.trustedProxies.isEmpty { return false }
    return peer.map(shared.options.trustedProxies.contains) ?? false
  }

  /// The client by which a connection is counted: not this machine itself, from where tunnels and
  /// proxies bring everybody's connections.
  private func counted(_ peer: PeerAddress?) -> PeerAddress? {
    guard clientLimit < connectionLimit, let peer else { return nil }
    return peer.isLoopback && !shared.options.countsLoopback ? nil : peer.client
  }

  /// A connection of a client has gone.
  mutating func uncount(_ client: PeerAddress) {
    guard let index = clients.index(forKey: client) else { return }
    if clients.values[index] <= 1 {
      clients.remove(at: index)
    } else {
      clients.values[index] -= 1
    }
  }

  private mutating func takeSlot() -> Int {
    if let slot = freeSlots.popLast() { return slot }
    connections.append(nil)
    generations.append(0)
    deadlines.addSlot()
    return connections.count - 1
  }

  /// Drops the connection that is missed least: the one that has been quiet longest.
  @discardableResult
  private mutating func dropIdlest() -> Bool {
    for phase in [Connection.Phase.idle, .lingering, .handshaking, .readingHead, .readingBody] {
      if let slot = deadlines.first(in: phase.rawValue) {
        close(slot)
        return true
      }
    }
    if let slot = deadlines.first(in: Connection.Phase.writing.rawValue) {
      close(slot)
      return true
    }
    return false
  }

  /// Descriptors have run out: an idle connection goes, or else the reserve is used, so that the
  /// new one can be answered. False when neither is there: then nobody is accepted for a moment.
  private mutating func makeRoom(_ error: SystemError) -> Bool {
    counters.limits.add(Int(ServerLimit.descriptors.rawValue))
    if !hasToldOfExhaustion {
      hasToldOfExhaustion = true
      shared.log.warning(
        "\(error); idle connections are dropped to serve new ones (raise the limit of open files)")
    }
    if let slot = deadlines.first(in: Connection.Phase.idle.rawValue) {
      close(slot)
      return true
    }
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

  /// Takes the reserve again, and accepts again once that has worked.
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
