internal import Posix
internal import Synchronization

/// Collects events from other threads for the issuer's thread. Runs name checks in parallel, so
/// that a name with unresponsive servers delays no other name.
final class Mailbox: Sendable {
  private let state = Mutex<(events: [PlanEvent], running: Int)>(([], 0))
  /// Whether the set of hosts that need certificates may have changed.
  private let hasNews = Atomic<Bool>(false)
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called whenever an event has arrived.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Whether all work that `run` started has ended.
  var isIdle: Bool { state.withLock { $0.running == 0 } }

  func post(_ event: PlanEvent) {
    state.withLock { $0.events.append(event) }
    wake()
  }

  func noteNews() {
    hasNews.store(true, ordering: .releasing)
    wake()
  }

  /// Returns whether the set of hosts that need certificates may have changed since the last call.
  func takeNews() -> Bool { hasNews.exchange(false, ordering: .acquiringAndReleasing) }

  /// Returns the events that have arrived since the last call.
  func take() -> [PlanEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Does work on a new thread, and posts the resulting event. Returns false if no thread starts.
  func run(_ work: @escaping @Sendable () -> PlanEvent?) -> Bool {
    state.withLock { $0.running += 1 }
    let thread = try? Thread(named: "name check") { [self] in
      if let event = work() { post(event) }
      state.withLock { $0.running -= 1 }
    }
    if thread == nil { state.withLock { $0.running -= 1 } }
    return thread != nil
  }
}

/// A separate thread for the requests to one CA, so that a CA that does not answer delays only its
/// own hosts.
final class AuthorityThread: Sendable {
  private let jobs = Mutex<[(host: String, request: PlanRequest)]>([])
  private let thread: StoppableThread

  /// - Parameter work: Makes the `AuthorityWork`. Called on the new thread.
  init(
    _ index: Int, _ mailbox: Mailbox, _ work: @escaping @Sendable () -> AuthorityWork
  ) throws(SystemError) {
    thread = try StoppableThread()
    try thread.start(named: "authority") { [self] in
      let work = work()
      while thread.pause(milliseconds: 3_600_000) {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
          let reply = work.perform(job.request, for: job.host)
          mailbox.post(.replied(authority: index, host: job.host, reply, work.facts))
        }
      }
    }
  }

  func submit(_ host: String, _ request: PlanRequest) {
    jobs.withLock { $0.append((host, request)) }
    thread.wake()
  }

  func stop() { thread.stop() }

  func hasEnded() -> Bool { thread.hasEnded() }
}
