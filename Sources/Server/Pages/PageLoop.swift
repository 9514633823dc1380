internal import HTTP
internal import Posix
internal import Synchronization

/// The thread of a listener of pages: few connections, each for a short time, one answer after the
/// other. What is done with one connection stands in `PageLoop+Exchange`.
///
/// It is apart from the event loops, so that an answer that takes long to make, for a hundred
/// thousand domains, keeps no device waiting.
struct PageLoop: ~Copyable {
  private var poller: Poller
  private let listeners: [LoopListener]
  let limits: PageLimits
  let control: PageControl
  let answer: @Sendable (PageRequest) -> PageReply

  private var connections: [PageConnection?]
  private var generations: [UInt32]
  var head = RequestHead()
  var scratch = [UInt8](repeating: 0, count: 8_192)
  var now = Clock.monotonicMilliseconds()
  /// When accepting goes on after descriptors ran out; nil when it does.
  private var resumeTime: Int64?

  init(
    listeners: [LoopListener], limits: PageLimits, control: PageControl,
    answer: @escaping @Sendable (PageRequest) -> PageReply
  ) throws(SystemError) {
    let poller = try Poller(capacity: limits.connections)
    try poller.add(control.wakeup.descriptor, token: Token.wakeup.rawValue, interest: .read)
    for (index, listener) in listeners.enumerated() {
      try poller.add(
        listener.listener.descriptor, token: Token.listener(index).rawValue, interest: .read)
    }
    self.poller = poller
    self.listeners = listeners
    self.limits = limits
    self.control = control
    self.answer = answer
    connections = Array(repeating: nil, count: limits.connections)
    generations = Array(repeating: 0, count: limits.connections)
  }

  /// Answers until it is told to stop.
  mutating func run() {
    while !control.isStopping.load(ordering: .acquiring) {
      let count = poller.wait(milliseconds: waitingTime())
      now = Clock.monotonicMilliseconds()
      for index in 0..<count { handle(Token(poller.token(at: index))) }
      for slot in connections.indices {
        if let connection = connections[slot], connection.deadline <= now {
          expire(connection, slot)
        }
      }
      if let time = resumeTime, time <= now { resumeAccepting() }
    }
    for slot in connections.indices where connections[slot] != nil { close(slot) }
  }

  private func waitingTime() -> Int32 {
    var next = resumeTime ?? .max
    for connection in connections { next = min(next, connection?.deadline ?? .max) }
    return next == .max ? -1 : Int32(clamping: max(0, next - now + 1))
  }

  private mutating func handle(_ token: Token) {
    if token.isWakeup { return takeFromOthers() }
    if let index = token.listenerIndex { return accept(from: listeners[index]) }
    let slot = Int(token.slot)
    guard let connection = connection(of: token) else { return }
    switch connection.phase {
    case .reading, .readingContent: receive(connection, slot)
    case .waiting: close(slot)
    case .writing: send(connection, slot)
    case .streaming where connection.watched == .write: feed(connection, slot)
    case .streaming, .lingering: discard(connection, slot)
    }
  }

  /// Nil when the connection of that token has gone.
  private func connection(of token: Token) -> PageConnection? {
    let slot = Int(token.slot)
    guard slot < connections.count, generations[slot] == token.generation else { return nil }
    return connections[slot]
  }

  func token(_ slot: Int) -> Token {
    Token(slot: UInt32(slot), generation: generations[slot])
  }

  /// Answers that are made, and what streams have to send.
  private mutating func takeFromOthers() {
    control.wakeup.acknowledge()
    for (token, answer) in control.takeFinished() {
      guard let connection = connection(of: token), connection.phase == .waiting else { continue }
      finish(answer, connection, Int(token.slot))
    }
    for slot in connections.indices {
      if let connection = connections[slot], connection.phase == .streaming,
        connection.output.isEmpty
      {
        feed(connection, slot)
      }
    }
  }

  // MARK: New connections

  private mutating func accept(from listener: LoopListener) {
    for _ in connections.indices {
      var peer: PeerAddress?
      switch listener.listener.accept(peer: &peer) {
      case .connection(let descriptor):
        let slot = freeSlot()
        let connection = PageConnection(
          descriptor, peer: peer, deadline: now + limits.request)
        connections[slot] = connection
        watch(connection, slot, for: .read)
      case .none: return
      case .gone: continue
      case .exhausted: return pauseAccepting()
      }
    }
  }

  /// For one more than there may be, the one goes that has been quiet longest: deadlines of those
  /// that are idle, then of any.
  private mutating func freeSlot() -> Int {
    if let free = connections.firstIndex(where: { $0 == nil }) { return free }
    let idle = connections.indices.filter { connections[$0]?.isIdle == true }
    let candidates = idle.isEmpty ? Array(connections.indices) : idle
    let slot =
      candidates.min {
        connections[$0]?.deadline ?? .max < connections[$1]?.deadline ?? .max
      } ?? 0
    close(slot)
    return slot
  }

  private mutating func pauseAccepting() {
    guard resumeTime == nil else { return }
    for listener in listeners { poller.remove(listener.listener.descriptor) }
    resumeTime = now + limits.pause
  }

  private mutating func resumeAccepting() {
    resumeTime = nil
    for (index, listener) in listeners.enumerated() {
      try? poller.add(
        listener.listener.descriptor, token: Token.listener(index).rawValue, interest: .read)
    }
  }

  // MARK: Watching and closing

  mutating func watch(_ connection: PageConnection, _ slot: Int, for interest: Interest) {
    if connection.watched == interest { return }
    let token = token(slot).rawValue
    do throws(SystemError) {
      if connection.watched == nil {
        try poller.add(connection.descriptor, token: token, interest: interest)
      } else {
        try poller.modify(connection.descriptor, token: token, interest: interest)
      }
      connection.watched = interest
    } catch {
      close(slot)
    }
  }

  /// Nothing that the client does matters for a while.
  mutating func unwatch(_ connection: PageConnection) {
    if connection.watched == nil { return }
    poller.remove(connection.descriptor)
    connection.watched = nil
  }

  /// Its descriptor is closed with the last reference to it.
  mutating func close(_ slot: Int) {
    connections[slot]?.stream?.end()
    connections[slot] = nil
    generations[slot] &+= 1
  }
}
