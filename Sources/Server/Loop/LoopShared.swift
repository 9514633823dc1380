internal import Bytes
internal import Catalog
internal import Logging
internal import Posix
internal import Synchronization
internal import TLS

/// The state that all event loops share. `publish` stores changed settings, and the catalog
/// publisher announces them to the loops.
final class LoopShared: Sendable {
  private let latest: Mutex<LoopSettings>
  /// The number of event loops.
  let loops: Int
  let countsLoopback: Bool
  let publisher: CatalogPublisher
  let context: ServerContext?
  let log: Logger
  /// The number of connections of each client. Connections for which `EventLoop.counted` returns
  /// nil are not included.
  let clients = ClientCounts()
  /// Whether the server will stop soon. Until the stop, it still accepts connections, but closes
  /// each connection after one response.
  let isLeaving = Atomic<Bool>(false)
  /// Whether the server is stopping.
  let isStopping = Atomic<Bool>(false)
  /// Whether the kernel may have connections that the server cannot accept yet; nil until a loop
  /// has checked.
  private let unaccepted = Mutex<Bool?>(nil)

  init(
    _ settings: LoopSettings, loops: Int, countsLoopback: Bool, publisher: CatalogPublisher,
    context: ServerContext?, log: Logger
  ) {
    latest = Mutex(settings)
    self.loops = loops
    self.countsLoopback = countsLoopback
    self.publisher = publisher
    self.context = context
    self.log = log
  }

  /// Returns whether the kernel may have connections that the server cannot accept yet. The first
  /// call checks this, and later calls return the same result, because all loops listen on the same
  /// addresses.
  func mayHaveUnaccepted(at addresses: [SocketAddress]) -> Bool {
    unaccepted.withLock { known in
      let result = known ?? Posix.mayHaveUnaccepted(at: addresses)
      known = result
      return result
    }
  }

  /// The newest settings.
  var settings: LoopSettings { latest.withLock { $0 } }

  func publish(_ settings: LoopSettings) {
    latest.withLock { $0 = settings }
    publisher.announce()
  }
}

/// The number of connections of each client, over all loops. A count per loop would not suffice,
/// because the kernel distributes a client's connections unevenly.
final class ClientCounts: Sendable {
  private static let reportPause: Int64 = 600_000
  /// The earliest time of the next report about a client at its limit, in milliseconds of the
  /// monotonic clock.
  private let nextReport = Atomic<Int64>(.min)
  private let counts = Mutex<[IPAddress: Int]>([:])

  /// Adds one connection to a client's count. Returns false if the client already has `limit`
  /// connections.
  func take(_ client: IPAddress, limit: Int) -> Bool {
    counts.withLock { counts in
      let count = counts[client, default: 0]
      if count >= limit { return false }
      counts[client] = count + 1
      return true
    }
  }

  /// Returns whether to report now that a client has reached its limit. At most one such report is
  /// due every ten minutes.
  func isReportDue(now: Int64) -> Bool {
    let next = nextReport.load(ordering: .relaxed)
    guard now >= next else { return false }
    return nextReport.compareExchange(
      expected: next, desired: now + Self.reportPause, ordering: .relaxed
    ).exchanged
  }

  func release(_ client: IPAddress) {
    counts.withLock { counts in
      let count = counts[client, default: 0]
      counts[client] = count > 1 ? count - 1 : nil
    }
  }
}

/// The part of an event loop that other threads use: they can wake the loop and read its counters.
final class LoopHandle: Sendable {
  let wakeup: Wakeup
  let counters = LoopCounters()
  private let listeners: Mutex<[LoopListener]>

  init(_ listeners: [LoopListener]) throws(SystemError) {
    wakeup = try Wakeup()
    self.listeners = Mutex(listeners)
  }

  /// Returns the listeners, which then belong to the event loop. Each listener closes when the loop
  /// releases it.
  func takeListeners() -> [LoopListener] {
    listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
  }
}

/// A listening socket, and whether its connections use TLS.
final class LoopListener: Sendable {
  let listener: Listener
  let isSecure: Bool

  /// The events for which a poller watches the socket.
  var interest: Interest { listener.isShared ? .sharedRead : .read }

  init(_ listener: consuming Listener, isSecure: Bool) {
    self.listener = listener
    self.isSecure = isSecure
  }
}

/// Identifies the source of an event from the poller. For a connection, the token contains the
/// connection's slot and the slot's generation. So an event for an earlier connection in the same
/// slot is recognized and ignored.
struct Token {
  let slot: UInt32
  let generation: UInt32

  /// The lowest slot number that is not used for connections.
  private static let firstSpecial: UInt32 = 0xFFFF_0000
  static let wakeup = Token(slot: 0xFFFF_FFFF, generation: 0)

  static func listener(_ index: Int) -> Token {
    Token(slot: firstSpecial + UInt32(index), generation: 0)
  }

  init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  init(_ rawValue: UInt64) {
    slot = UInt32(truncatingIfNeeded: rawValue)
    generation = UInt32(truncatingIfNeeded: rawValue >> 32)
  }

  var rawValue: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
  var isWakeup: Bool { slot == Token.wakeup.slot }
  var listenerIndex: Int? {
    slot >= Token.firstSpecial && !isWakeup ? Int(slot - Token.firstSpecial) : nil
  }
}
