internal import HTTP
package import Hosting
internal import Posix
internal import Synchronization

/// Whether the server lives, and whether traffic should be sent to it.
package final class Health: Sendable {
  private let status: StatusPublisher
  private let isDraining = Atomic<Bool>(false)

  package init(_ status: StatusPublisher) { self.status = status }

  /// The server has been told to stop: from now on it is not ready, though it still serves.
  package func beginDraining() { isDraining.store(true, ordering: .releasing) }

  /// Why no traffic should be sent here; empty when it should.
  package func obstacles() -> [String] {
    let draining = isDraining.load(ordering: .acquiring) ? ["the server is stopping"] : []
    return draining + status.current.obstacles(now: Clock.wallSeconds())
  }

  /// Who gets this answer has the proof.
  func livePage() -> PageAnswer { PageAnswer(text: "alive") }

  func readyPage() -> PageAnswer {
    let obstacles = obstacles()
    return obstacles.isEmpty
      ? PageAnswer(text: "ready")
      : PageAnswer(
        .serviceUnavailable, text: obstacles.map { "not ready: " + $0 }.joined(separator: "\n"))
  }
}
