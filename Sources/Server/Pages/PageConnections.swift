internal import Posix
internal import Synchronization

/// The part of a page listener's connection that other threads use: they can shut the connection
/// down.
final class PageSocket: Sendable {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

/// The connections of a page listener. Each connection has its own thread, so the number of
/// connections is limited.
final class PageConnections: Sendable {
  /// What a connection's thread is doing. If there are too many connections, the listener closes
  /// connections in the order of these cases.
  enum Activity: Int {
    case lingering
    /// Waiting for another request.
    case idle
    case reading, writing, streaming
    /// Making a response. The listener cannot interrupt this.
    case making
  }

  private struct Entry {
    let socket: PageSocket
    var activity = Activity.reading
    /// When the activity began, in milliseconds of the monotonic clock.
    var since = Clock.monotonicMilliseconds()
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var next = 0
    /// The numbers that identify the connections whose sockets were shut down but whose threads
    /// have not ended yet.
    var leaving: Set<Int> = []
  }

  private let state = Mutex(State())
  private let limit: Int
  /// Signaled when a connection has ended, or when the listener must stop.
  let changed: Wakeup

  init(limit: Int) throws(SystemError) {
    self.limit = limit
    changed = try Wakeup()
  }

  var count: Int { state.withLock { $0.entries.count } }

  func count(_ activity: Activity) -> Int {
    state.withLock { state in state.entries.values.count { $0.activity == activity } }
  }

  /// Adds a connection, and returns the number that identifies this connection.
  func add(_ socket: PageSocket) -> Int {
    state.withLock { state in
      state.next += 1
      state.entries[state.next] = Entry(socket: socket)
      return state.next
    }
  }

  func note(_ activity: Activity, of number: Int) {
    let now = Clock.monotonicMilliseconds()
    state.withLock { state in
      if state.entries[number]?.activity == activity { return }
      state.entries[number]?.activity = activity
      state.entries[number]?.since = now
    }
  }

  func remove(_ number: Int) {
    state.withLock { state in
      state.entries[number] = nil
      state.leaving.remove(number)
    }
    changed.signal()
  }

  /// Returns whether another connection is allowed. If not, shuts down one connection, unless an
  /// earlier one is still being shut down. Chooses the connection whose activity comes first in
  /// `Activity`. If several connections have this activity, chooses the connection whose activity
  /// began first. Never chooses a connection whose response is being made.
  func makeRoom() -> Bool {
    state.withLock { state in
      if state.entries.count < limit { return true }
      let interruptible = state.entries.filter { $0.value.activity != .making }
      guard state.leaving.isDisjoint(with: interruptible.keys) else { return false }
      let chosen = interruptible.min {
        ($0.value.activity.rawValue, $0.value.since, $0.key)
          < ($1.value.activity.rawValue, $1.value.since, $1.key)
      }
      guard let chosen else { return false }
      state.leaving.insert(chosen.key)
      chosen.value.socket.descriptor.shutdownBothWays()
      return false
    }
  }

  /// Shuts down all connections. A thread that waits for its client notices this immediately.
  func endAll() {
    state.withLock { state in
      for entry in state.entries.values { entry.socket.descriptor.shutdownBothWays() }
    }
  }
}
