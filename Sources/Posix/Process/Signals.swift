internal import LibC

/// The signals that the program handles. Every thread blocks them, and one thread waits for them.
/// So no code runs inside a signal handler.
package enum Signal: Sendable, Equatable {
  case hangUp, interrupt, terminate, user1

  private static let numbers: [(Int32, Signal)] = [
    (SIGHUP, .hangUp), (SIGINT, .interrupt), (SIGTERM, .terminate), (SIGUSR1, .user1),
  ]

  /// Blocks the signals for this thread and for all threads that it starts later. Call it first in
  /// `main`. Ignores SIGPIPE, so that a write to a disconnected peer returns EPIPE.
  package static func blockAll() {
    ignoreBrokenPipes()
    var set = awaitedSignals()
    _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Ignores SIGPIPE, so that a write to a disconnected peer returns EPIPE. Every command that
  /// connects to servers must call this function.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Waits for one of the signals.
  package static func wait() -> Signal {
    var set = awaitedSignals()
    while true {
      var number: Int32 = 0
      guard unsafe sigwait(&set, &number) == 0 else { continue }
      if let known = numbers.first(where: { $0.0 == number }) { return known.1 }
    }
  }

  private static func awaitedSignals() -> sigset_t {
    var set = sigset_t()
    _ = unsafe sigemptyset(&set)
    // Do not loop over `numbers`, because this function also runs before the Swift runtime is ready
    // (see `EarlySignals`).
    _ = unsafe sigaddset(&set, SIGHUP)
    _ = unsafe sigaddset(&set, SIGINT)
    _ = unsafe sigaddset(&set, SIGTERM)
    _ = unsafe sigaddset(&set, SIGUSR1)
    return set
  }
}

/// Ends the process immediately, without running cleanup code.
package func exitImmediately(_ status: Int32) -> Never {
  _exit(status)
}
