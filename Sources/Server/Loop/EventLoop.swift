internal import Catalog
internal import HTTP
internal import Logging
internal import Posix
internal import Settings
internal import Synchronization
internal import TLS

/// One thread's part of the server: a poller, listening sockets and connections.
///
/// In each turn the loop waits for events, reads the clock once, checks once for a newer catalog
/// and newer settings, and handles all events. Then it ends connections that have timed out. The
/// loop reads no files. Other threads access only the loop's `LoopShared` and `LoopHandle`.
struct EventLoop: ~Copyable {
  let shared: LoopShared
  let handle: LoopHandle
  var listeners: [LoopListener]
  var poller: Poller

  /// The connections. The position of a connection in the array is its slot, which never changes.
  var connections: [Connection?] = []
  var generations: [UInt32] = []
  var freeSlots: [Int] = []
  var connectionCount = 0
  let connectionLimit: Int
  /// The memory available for connections in bytes; nil if memory is unlimited.
  let memoryRoom: Int?
  /// The highest number of connections since the loop last returned freed memory to the system.
  var peakConnections = 0
  /// The time at which to return the memory of closed connections to the system, in milliseconds of
  /// the monotonic clock.
  var trimTime: Int64 = .max

  var deadlines = DeadlineQueues(queues: Connection.queueCount)
  var processor: RequestProcessor
  /// The receive buffer that all connections share. Only a connection with incomplete input has a
  /// buffer of its own.
  var scratch = [UInt8](repeating: 0, count: EventLoop.scratchBytes)
  static let scratchBytes = 32 * 1024
  /// The slots of connections with which the loop continues without an event from the poller. These
  /// are connections for which OpenSSL has buffered bytes, and connections that have yielded to
  /// other connections.
  var readySlots: [Int] = []

  var catalog: Catalog
  private(set) var settings: LoopSettings
  private var generation: Int
  /// The time when this turn of the event loop began, in milliseconds of the monotonic clock.
  var now: Int64

  /// A descriptor in reserve. If the process has no free descriptor, the loop closes this one, and
  /// can then accept a connection.
  var reserve: FileDescriptor?
  var isAcceptingPaused = false
  var hasReportedExhaustion = false

  var isDraining = false
  var drainDeadline: Int64 = .max
  /// When the stopping server closes its listening sockets, in milliseconds of the monotonic clock.
  private var listenEnd: Int64 = .max

  init(
    shared: LoopShared, handle: LoopHandle, connectionLimit: Int, memoryRoom: Int? = nil,
    log: LoopLog?
  ) throws(SystemError) {
    let listeners = handle.takeListeners()
    // First do everything that can throw, because Swift cannot destroy a partially initialized
    // noncopyable value.
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
    self.memoryRoom = memoryRoom
    generation = shared.publisher.generation
    catalog = shared.publisher.current
    settings = shared.settings
    processor = RequestProcessor(
      selector: settings.selector, limits: settings.options.request, counters: handle.counters,
      log: log, proxies: settings.proxies)
    now = processor.observer.clock.milliseconds
    reserve = FileDescriptor.reserve()
  }

  /// Handles connections until the server stops. Then continues until all connections have ended or
  /// the grace period is over.
  mutating func run() {
    while !hasEnded {
      let count = poller.wait(milliseconds: waitingTime())
      processor.beginTurn(isBusy: count > 0 || !readySlots.isEmpty)
      now = processor.observer.clock.milliseconds
      takeNews()
      for index in 0..<count { handle(Token(poller.token(at: index))) }
      continueReadySlots()
      endOverdue()
      if now >= listenEnd { stopListening() }
      if isAcceptingPaused { resumeAccepting() }
      if now >= trimTime { trimMemory() }
      processor.observer.endTurn(catalog)
      if deadlines.haveLengthsChanged { countConnections() }
    }
  }

  private var hasEnded: Bool {
    isDraining && (connectionCount == 0 && listeners.isEmpty || now >= drainDeadline)
  }

  private mutating func countConnections() {
    for kind in Connection.Kind.allCases {
      var count = deadlines.count(in: kind.rawValue)
      if case .idle = kind { count += deadlines.count(in: Connection.keptQueue) }
      counters.open.set(kind.rawValue, to: UInt64(count))
    }
    deadlines.haveLengthsChanged = false
  }

  var counters: LoopCounters { handle.counters }

  private func waitingTime() -> Int32 {
    if !readySlots.isEmpty { return 0 }
    var next = deadlines.nextDeadline ?? .max
    if isDraining { next = min(next, drainDeadline, listenEnd) }
    if isAcceptingPaused { next = min(next, now + 100) }
    next = min(next, trimTime)
    if processor.observer.hasWaitingLines { next = min(next, now + AccessLogLimits.retry) }
    if next == .max { return -1 }
    // Add one millisecond. Otherwise the loop would not sleep at all during the last millisecond
    // before the deadline.
    return Int32(clamping: max(0, next - now + 1))
  }

  /// After many connections have closed, schedules the return of free memory from the C library to
  /// the system. The return is delayed, so that new connections that arrive soon can use the
  /// memory.
  mutating func noteClosed() {
    if trimTime == .max && peakConnections >= 128 && connectionCount < peakConnections / 2 {
      trimTime = now + 400
    }
  }

  private mutating func trimMemory() {
    Memory.returnFree()
    peakConnections = connectionCount
    trimTime = .max
  }

  private mutating func takeNews() {
    let newest = shared.publisher.generation
    if newest == generation { return }
    generation = newest
    catalog = shared.publisher.current
    let next = shared.settings
    if next !== settings && !isDraining { take(next) }
  }

  /// Applies new settings. Changed time limits also apply to connections that are already waiting.
  /// Each queue stays ordered by deadline.
  private mutating func take(_ next: LoopSettings) {
    for kind in Connection.Kind.allCases {
      let change = next.allowance(in: kind) - settings.allowance(in: kind)
      deadlines.move(kind.rawValue, by: change)
      if case .idle = kind { deadlines.move(Connection.keptQueue, by: change) }
    }
    settings = next
    processor.take(next)
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
      let connection = connections[slot]
    else { return }
    // Ignore the event: the connection has yielded, and `continueReadySlots` continues it anyway.
    if case .yielded = connection.state { return }
    advance(connection)
  }

  private mutating func continueReadySlots() {
    if readySlots.isEmpty { return }
    var slots: [Int] = []
    swap(&slots, &readySlots)
    for slot in slots {
      if let connection = connections[slot] { advance(connection) }
    }
  }

  /// Ends connections that have timed out.
  private mutating func endOverdue() {
    while let slot = deadlines.expired(now: now), let connection = connections[slot] {
      if !isDraining { counters.timeouts.add(connection.kind.rawValue) }
      switch connection.state {
      case .head, .body:
        processor.refuseLate(connection)
        send(then: .ends(.linger), connection)
      case .idle, .yielded:
        connection.closeNotify()
        close(connection)
      case .proxyHeader, .handshaking, .writing, .lingering: close(connection)
      }
    }
  }

  /// Stops accepting, and ends each connection after its current response. A client that has not
  /// sent a complete head has `drainAllowance` to complete its request. The same applies to a
  /// client whose connection the kernel has not passed to the server yet (see `mayHaveUnaccepted`).
  private mutating func startDraining() {
    isDraining = true
    drainDeadline = now + settings.options.gracePeriod
    let holding = listeners.filter { $0.listener.disableDeferAccept() }
    let isAwaiting = shared.mayHaveUnaccepted(at: holding.map { $0.listener.address })
    listenEnd = isAwaiting ? now + settings.options.drainAllowance : now
    if !isAwaiting { stopListening() }
    for kind in [Connection.Kind.proxyHeader, .handshaking, .idle, .readingHead, .lingering] {
      deadlines.limit(kind.rawValue, to: now + settings.options.drainAllowance)
    }
    for connection in connections.compactMap(\.self) where connection.hasServed {
      switch connection.state {
      // Answer a request that may have arrived in the meantime.
      case .idle, .yielded: advance(connection)
      default: continue
      }
      if isOpen(connection), case .idle = connection.state {
        connection.closeNotify()
        close(connection)
      }
    }
  }

  /// Closes the listening sockets. First accepts the connections in each socket's queue, because
  /// closing the socket would reset them. Accepts no connections from a socket that other processes
  /// share, because those processes can accept them.
  private mutating func stopListening() {
    listenEnd = .max
    for listener in listeners where !listener.listener.isShared { accept(from: listener) }
    for listener in listeners where !isAcceptingPaused {
      poller.remove(listener.listener.descriptor)
    }
    listeners = []
    isAcceptingPaused = false
  }
}
