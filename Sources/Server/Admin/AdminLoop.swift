internal import HTTP
internal import Posix
internal import Synchronization

/// The admin listener's thread: few connections, each for a short time, one answer after the other.
///
/// It is apart from the event loops, so that an answer that takes long to make, for a hundred
/// thousand domains, keeps no device waiting.
struct AdminLoop: ~Copyable {
  private var poller: Poller
  private let listeners: [LoopListener]
  private let control: AdminControl
  private let requests: AdminRequests
  private let answer: @Sendable (AdminRequest) -> AdminAnswer

  private var connections: [AdminConnection?]
  private var generations: [UInt32]
  private var head = RequestHead()
  private let limits = AdminLimits.request
  private var scratch = [UInt8](repeating: 0, count: 8_192)
  private var now = Clock.monotonicMilliseconds()
  /// When accepting goes on after descriptors ran out; nil when it does.
  private var resumeTime: Int64?

  init(
    listeners: [LoopListener], control: AdminControl, requests: AdminRequests,
    answer: @escaping @Sendable (AdminRequest) -> AdminAnswer
  ) throws(SystemError) {
    let poller = try Poller(capacity: AdminLimits.connections)
    try poller.add(control.wakeup.descriptor, token: Token.wakeup.rawValue, interest: .read)
    for (index, listener) in listeners.enumerated() {
      try poller.add(
        listener.listener.descriptor, token: Token.listener(index).rawValue, interest: .read)
    }
    self.poller = poller
    self.listeners = listeners
    self.control = control
    self.requests = requests
    self.answer = answer
    connections = Array(repeating: nil, count: AdminLimits.connections)
    generations = Array(repeating: 0, count: AdminLimits.connections)
  }

  /// Answers until it is told to stop.
  mutating func run() {
    while !control.isStopping.load(ordering: .acquiring) {
      let count = poller.wait(milliseconds: waitingTime())
      now = Clock.monotonicMilliseconds()
      for index in 0..<count { handle(Token(poller.token(at: index))) }
      for slot in connections.indices {
        if let connection = connections[slot], connection.deadline <= now { close(slot) }
      }
      if let time = resumeTime, time <= now { resumeAccepting() }
    }
  }

  private func waitingTime() -> Int32 {
    var next = resumeTime ?? .max
    for connection in connections { next = min(next, connection?.deadline ?? .max) }
    return next == .max ? -1 : Int32(clamping: max(0, next - now + 1))
  }

  private mutating func handle(_ token: Token) {
    if token.isWakeup { return control.wakeup.acknowledge() }
    if let index = token.listenerIndex { return accept(from: listeners[index]) }
    let slot = Int(token.slot)
    guard slot < connections.count, generations[slot] == token.generation,
      let connection = connections[slot]
    else { return }
    switch connection.phase {
    case .reading: receive(connection, slot)
    case .writing: send(connection, slot)
    case .lingering: discard(connection, slot)
    }
  }

  // MARK: New connections

  private mutating func accept(from listener: LoopListener) {
    for _ in connections.indices {
      var peer: PeerAddress?
      switch listener.listener.accept(peer: &peer) {
      case .connection(let descriptor):
        let slot = freeSlot()
        let connection = AdminConnection(descriptor, now: now)
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
    resumeTime = now + AdminLimits.pause
  }

  private mutating func resumeAccepting() {
    resumeTime = nil
    for (index, listener) in listeners.enumerated() {
      try? poller.add(
        listener.listener.descriptor, token: Token.listener(index).rawValue, interest: .read)
    }
  }

  // MARK: One connection

  private mutating func receive(_ connection: AdminConnection, _ slot: Int) {
    var space = scratch.mutableSpan
    switch connection.descriptor.receive(into: &space) {
    case .moved(let count):
      if connection.input.isEmpty { connection.deadline = now + AdminLimits.head }
      connection.input += scratch[..<count]
      process(connection, slot)
    case .wantsRead, .wantsWrite: return
    case .ended, .failed: close(slot)
    }
  }

  /// Answers what is there, one request after the other.
  private mutating func process(_ connection: AdminConnection, _ slot: Int) {
    while !connection.input.isEmpty {
      do throws(RequestFault) {
        // A copy, for lending out a part of an object is accounted for at run time.
        var framer = connection.framer
        let input = connection.input
        let end = try head.read(input.span, from: 0, framer: &framer, limits: limits)
        connection.framer = framer
        guard let end else { return watch(connection, slot, for: .read) }
        connection.framer = HeadFramer()
        let (request, refusal) = requests.judge(head, input.span, end: end)
        connection.input.removeFirst(end)
        connection.closes = refusal != nil || !head.allowsReuse || head.minorVersion == 0
        prepare(
          request.map(answer) ?? refusal ?? AdminAnswer(.badRequest, text: "no request"),
          isHead: head.method == .head, on: connection)
      } catch {
        connection.closes = true
        prepare(AdminAnswer(error.status, text: error.reason), isHead: false, on: connection)
      }
      guard send(connection, slot) else { return }
    }
    connection.deadline = now + AdminLimits.idle
    watch(connection, slot, for: .read)
  }

  private func prepare(_ answer: AdminAnswer, isHead: Bool, on connection: AdminConnection) {
    connection.output = answer.bytes(
      isHead: isHead, closes: connection.closes, now: Clock.wallSeconds())
    connection.offset = 0
  }

  /// True when all is sent and the connection goes on.
  @discardableResult
  private mutating func send(_ connection: AdminConnection, _ slot: Int) -> Bool {
    let wasWaiting = connection.phase == .writing
    switch connection.sendOutput() {
    case nil:
      if connection.closes {
        linger(connection, slot)
        return false
      }
      connection.phase = .reading
      if wasWaiting { process(connection, slot) }
      return !wasWaiting
    case .wantsWrite, .wantsRead:
      if !wasWaiting { connection.deadline = now + AdminLimits.write }
      connection.phase = .writing
      watch(connection, slot, for: .write)
    case .moved, .ended, .failed: close(slot)
    }
    return false
  }

  /// Our side ends; what still comes is dropped, or the kernel would reset the connection before
  /// the client has read its answer (RFC 9112 section 9.6).
  private mutating func linger(_ connection: AdminConnection, _ slot: Int) {
    connection.descriptor.shutdownSending()
    connection.phase = .lingering
    connection.deadline = now + AdminLimits.linger
    connection.input = []
    watch(connection, slot, for: .read)
  }

  private mutating func discard(_ connection: AdminConnection, _ slot: Int) {
    var space = scratch.mutableSpan
    switch connection.descriptor.receive(into: &space) {
    case .moved, .wantsRead, .wantsWrite: return
    case .ended, .failed: close(slot)
    }
  }

  private mutating func watch(
    _ connection: AdminConnection, _ slot: Int, for interest: Interest
  ) {
    if connection.watched == interest { return }
    let token = Token(slot: UInt32(slot), generation: generations[slot]).rawValue
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

  /// Its descriptor is closed with the last reference to it.
  private mutating func close(_ slot: Int) {
    connections[slot] = nil
    generations[slot] &+= 1
  }
}

/// How other threads reach the admin listener's.
final class AdminControl: Sendable {
  let wakeup: Wakeup
  let isStopping = Atomic<Bool>(false)

  init() throws(SystemError) {
    wakeup = try Wakeup()
  }
}
