package import Catalog
internal import HTTP
internal import Posix
internal import Settings
internal import Synchronization

/// Whether the server runs, and whether traffic should be sent to it.
package final class Health: Sendable {
  private let status: StatusPublisher
  private let isDraining = Atomic<Bool>(false)

  package init(_ status: StatusPublisher) { self.status = status }

  /// Notes that the server is stopping: it is not ready any more, although it still serves.
  package func beginDraining() { isDraining.store(true, ordering: .releasing) }

  /// The reasons to send no traffic here; empty if all is well.
  package func obstacles() -> [String] {
    let draining = isDraining.load(ordering: .acquiring) ? ["the server is stopping"] : []
    return draining + status.current.obstacles(now: Clock.wallSeconds())
  }

  /// The answer is the proof.
  func livePage() -> PageAnswer { PageAnswer(text: "alive") }

  func readyPage() -> PageAnswer {
    let obstacles = obstacles()
    return obstacles.isEmpty
      ? PageAnswer(text: "ready")
      : PageAnswer(
        .serviceUnavailable, text: obstacles.map { "not ready: " + $0 }.joined(separator: "\n"))
  }
}
