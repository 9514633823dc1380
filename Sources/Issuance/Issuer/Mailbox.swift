internal import Posix
internal import Synchronization

/// What happens on other threads, as events for the issuer's thread. Checks of names run beside each
/// other here, so that a name whose servers are silent holds up nobody else.
final class Mailbox: Sendable {
  private let state = Mutex<(events: [PlanEvent], running: Int)>(([], 0))
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called whenever something has come.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Whether no thread works for it.
  var isIdle: Bool { state.withLock { $0.running == 0 } }

  func post(_ event: PlanEvent) {
    state.withLock { $0.events.append(event) }
    wake()
  }

  /// What has come since the last call.
  func take() -> [PlanEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Posts what comes of some work on a thread of its own. False if no thread can be made now.
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

/// Asks one CA, on a thread of its own, what the plan wants to know. A CA that does not answer holds up
/// nobody but those who wait for it.
final class AuthorityThread: Sendable {
  private let jobs = Mutex<[(host: String, request: PlanRequest)]>([])
  private let thread: StoppableThread

  /// - Parameters:
  ///   - index: the CA's, in the plan.
  ///   - work: made on that thread.
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
