internal import Posix
internal import Synchronization

/// A connection of a listener of pages, as other threads see it: they can end it.
final class PageSocket: Sendable {
  let descriptor: FileDescriptor
  let peer: PeerAddress?

  init(_ descriptor: consuming FileDescriptor, peer: PeerAddress?) {
    self.descriptor = descriptor
    self.peer = peer
  }
}

/// The connections of a listener of pages. Each has a thread of its own, so there are not many.
final class PageConnections: Sendable {
  /// What a connection's thread is doing. For one more connection than there may be, one is ended
  /// that does what stands first here.
  enum Activity: Int {
    case lingering
    /// It waits for another request.
    case idle
    case reading, writing, streaming
    /// It makes an answer, which nothing interrupts.
    case making
  }

  private struct Entry {
    let socket: PageSocket
    var activity = Activity.reading
    /// Milliseconds of the monotonic clock.
    var since = Clock.monotonicMilliseconds()
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var next = 0
    /// Those that are told to end, and have not yet.
    var leaving: Set<Int> = []
  }

  private let state = Mutex(State())
  private let limit: Int
  /// A connection has ended, or the listener is to stop.
  let changed: Wakeup

  init(limit: Int) throws(SystemError) {
    self.limit = limit
    changed = try Wakeup()
  }

  var count: Int { state.withLock { $0.entries.count } }

  /// Returns the number by which the connection is known here.
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

  /// Whether there is room for one more. If not, ends the connection that can best be done without:
  /// the idle ones first, and among those that do the same the one that has done so longest; none
  /// while another one is on its way out.
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

  /// Ends all. Whoever waits for its client notices at once.
  func endAll() {
    state.withLock { state in
      for entry in state.entries.values { entry.socket.descriptor.shutdownBothWays() }
    }
  }
}
