internal import HTTP
internal import Hosting
internal import Logging
internal import Posix
internal import Synchronization
internal import TLS

/// One thread's share of the server: its poller, its listening sockets, its connections.
///
/// A turn: wait, take the time once, look once for a newer catalog, handle every event, then
/// whatever is over its time. Nothing here reads files, and nothing but the shared state below
/// is known to another thread.
struct EventLoop: ~Copyable {
  let shared: LoopShared
  let handle: LoopHandle
  var listeners: [LoopListener]
  var poller: Poller

  /// A slot keeps its index while connections come and go in it.
  var connections: [Connection?] = []
  var generations: [UInt32] = []
  var freeSlots: [Int] = []
  var connectionCount = 0
  let connectionLimit: Int
  /// How many connections each client has that is counted.
  var clients: [PeerAddress: Int] = [:]
  let clientLimit: Int
  /// The most connections since memory was last given back.
  var peakConnections = 0
  /// When the memory of connections that have gone is given back; milliseconds of the monotonic
  /// clock.
  var trimTime: Int64 = .max

  var deadlines = DeadlineQueues(queues: Connection.Phase.allCases.count)
  var processor: RequestProcessor
  /// Received bytes land here; a connection has a buffer of its own only for what is incomplete.
  var scratch = [UInt8](repeating: 0, count: EventLoop.scratchBytes)
  static let scratchBytes = 32 * 1024
  /// Slots whose TLS session still holds bytes that the poller does not know of.
  var readySlots: [Int] = []

  var catalog: Catalog
  private var catalogGeneration: Int
  /// Milliseconds of the monotonic clock at this turn's start.
  var now: Int64

  /// Given up for a moment when descriptors run out, so that there is one to answer with.
  var reserve: FileDescriptor?
  var isAcceptingPaused = false
  var hasToldOfExhaustion = false

  var isDraining = false
  var drainDeadline: Int64 = .max

  init(
    shared: LoopShared, handle: LoopHandle, listeners: [LoopListener], connectionLimit: Int,
    clientLimit: Int, log: LoopLog?
  ) throws(SystemError) {
    // First all that can fail, for a noncopyable value is made whole or not at all.
    let poller = try Poller()
    try poller.add(handle.wakeup.descriptor, token: Token.wakeup.rawValue, interest: .read)
    for (index, listener) in listeners.enumerated() {
      try poller.add(
        listener.listener.descriptor, token: Token.listener(index).rawValue,
        interest: listener.interest)
    }
    self.poller = poller
    self.shared = shared
    self.handle = handle
    self.listeners = listeners
    self.connectionLimit = max(1, connectionLimit)
    self.clientLimit = clientLimit
    let generation = shared.publisher.generation
    catalog = shared.publisher.current
    catalogGeneration = generation
    processor = RequestProcessor(
      selector: AnswerSelector(fixed: FixedAnswers(retryAfter: shared.options.retryAfter)),
      limits: shared.options.request, counters: handle.counters, log: log,
      proxies: shared.options.trustedProxies)
    now = processor.observer.clock.milliseconds
    reserve = FileDescriptor.reserve()
  }

  /// Serves until the server stops and every connection has ended, or the grace period is over.
  mutating func run() {
    while !(isDraining && (connectionCount == 0 || now >= drainDeadline)) {
      let count = poller.wait(milliseconds: waitingTime())
      processor.observer.beginTurn()
      now = processor.observer.clock.milliseconds
      takeNewerCatalog()
      if count > 0 || !readySlots.isEmpty { processor.refreshDate() }
      for index in 0..<count { handle(Token(poller.token(at: index))) }
      continueReadySlots()
      endOverdue()
      if isAcceptingPaused { resumeAccepting() }
      if now >= trimTime { trimMemory() }
      processor.observer.endTurn(catalog)
      if deadlines.haveLengthsChanged { countConnections() }
    }
  }

  private mutating func countConnections() {
    for phase in Connection.Phase.allCases {
      counters.open.set(phase.rawValue, to: UInt64(deadlines.count(in: phase.rawValue)))
    }
    deadlines.haveLengthsChanged = false
  }

  var counters: LoopCounters { handle.counters }

  private func waitingTime() -> Int32 {
    if !readySlots.isEmpty { return 0 }
    var next = deadlines.nextDeadline ?? .max
    if isDraining { next = min(next, drainDeadline) }
    if isAcceptingPaused { next = min(next, now + 100) }
    next = min(next, trimTime)
    if processor.observer.hasWaitingLines { next = min(next, now + AccessLogLimits.retry) }
    if next == .max { return -1 }
    // One more millisecond, or the last fraction of one would be waited for by spinning.
    return Int32(clamping: max(0, next - now + 1))
  }

  /// After many connections have gone, the C library still holds their memory. It is given back a
  /// moment later, so that who comes and goes in between does not pay for it each time.
  mutating func noteClosed() {
    if trimTime == .max && peakConnections >= 128 && connectionCount < peakConnections / 2 {
      trimTime = now + 400
    }
  }

  private mutating func trimMemory() {
    Memory.returnFree()
    // What only many handshakes need.
    Memory.code.forget()
    peakConnections = connectionCount
    trimTime = .max
  }

  private mutating func takeNewerCatalog() {
    let generation = shared.publisher.generation
    if generation == catalogGeneration { return }
    catalogGeneration = generation
    catalog = shared.publisher.current
  }

  private mutating func handle(_ token: Token) {
    if token.isWakeup {
      handle.wakeup.acknowledge()
      if shared.isStopping.load(ordering: .acquiring) && !isDraining { startDraining() }
      return
    }
    if let index = token.listenerIndex {
      if index < listeners.count { accept(from: listeners[index]) }
      return
    }
    let slot = Int(token.slot)
    guard slot < connections.count, generations[slot] == token.generation,
      let connection = connections[slot], !connection.hasYielded
    else { return }
    advance(connection, slot)
  }

  private mutating func continueReadySlots() {
    if readySlots.isEmpty { return }
    var slots: [Int] = []
    swap(&slots, &readySlots)
    for slot in slots {
      guard let connection = connections[slot] else { continue }
      if connection.hasYielded {
        resume(connection, slot)
      } else {
        advance(connection, slot)
      }
    }
  }

  /// Ends what is over its time.
  private mutating func endOverdue() {
    while let slot = deadlines.expired(now: now), let connection = connections[slot] {
      if !isDraining { counters.timeouts.add(connection.phase.rawValue) }
      switch connection.phase {
      case .readingHead, .readingBody:
        processor.refuse(.requestTimeout, on: connection)
        if flush(connection, slot, isLast: true) { finish(connection, slot, hasUnreadInput: true) }
      case .idle:
        connection.tls?.closeNotify()
        close(slot)
      case .handshaking, .writing, .lingering:
        close(slot)
      }
    }
  }

  /// Stops accepting, and ends each connection after the answer that it is in the middle of.
  private mutating func startDraining() {
    isDraining = true
    drainDeadline = now + shared.options.gracePeriod
    // What the kernel has completed for us would be reset with the listening socket. What waits at a
    // socket that others hold is theirs.
    for listener in listeners where !listener.listener.isShared { accept(from: listener) }
    for listener in listeners where !isAcceptingPaused {
      poller.remove(listener.listener.descriptor)
    }
    listeners = []
    isAcceptingPaused = false
    for slot in connections.indices {
      guard let connection = connections[slot], connection.phase == .idle else { continue }
      if !connection.hasServed {
        enter(.idle, connection, slot)
        continue
      }
      // A request that has already arrived is answered.
      if connection.hasYielded { resume(connection, slot) } else { advance(connection, slot) }
      if connections[slot] === connection && connection.phase == .idle {
        connection.tls?.closeNotify()
        close(slot)
      }
    }
  }
}
