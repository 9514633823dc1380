internal import Bytes
internal import Catalog
internal import Logging
internal import Posix
internal import Synchronization
internal import TLS

/// The state that the event loops share. The catalog publisher announces changed settings.
final class LoopShared: Sendable {
  private let latest: Mutex<LoopSettings>
  /// The number of loops.
  let loops: Int
  let countsLoopback: Bool
  let publisher: CatalogPublisher
  let context: ServerContext?
  let log: Logger
  /// The number of connections per client. Connections for which `counted` returns nil are not
  /// included.
  let clients = ClientCounts()
  /// Set before the server stops. The server still accepts connections, but closes each connection
  /// after one response.
  let isLeaving = Atomic<Bool>(false)
  /// Set when the server begins to stop.
  let isStopping = Atomic<Bool>(false)
  /// Whether the kernel may hold connections that cannot be accepted yet; nil until a loop has
  /// checked.
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

  /// Returns whether the kernel may hold connections that cannot be accepted yet. Only the first
  /// call checks, because all loops listen at the same addresses.
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
  /// When a client at its limit may be reported next, in milliseconds of the monotonic clock.
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

  /// Returns whether to report that a client has reached its limit. Reports are rate-limited.
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

  /// Passes the listeners to the loop. Each listener closes when the loop releases it.
  func takeListeners() -> [LoopListener] {
    listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
  }
}

/// A listening socket and the protocol of its connections.
final class LoopListener: Sendable {
  let listener: Listener
  let isSecure: Bool

  /// The events of the socket that a poller reports.
  var interest: Interest { listener.isShared ? .sharedRead : .read }

  init(_ listener: consuming Listener, isSecure: Bool) {
    self.listener = listener
    self.isSecure = isSecure
  }
}

/// Identifies the source of an event from the poller. For a connection it contains the slot and the
/// slot's generation, so that events of an earlier connection in the slot are recognized.
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
