package import Catalog
internal import HTTP
internal import Posix
internal import Settings
internal import Synchronization

/// Whether the server is alive, and whether it is ready for traffic.
package final class Health: Sendable {
  private let status: StatusPublisher
  private let isDraining = Atomic<Bool>(false)

  package init(_ status: StatusPublisher) { self.status = status }

  /// Notes that the server is stopping. It is no longer ready, although it still serves.
  package func beginDraining() { isDraining.store(true, ordering: .releasing) }

  /// Returns the reasons why the server is not ready; empty if it is.
  package func obstacles() -> [String] {
    let draining = isDraining.load(ordering: .acquiring) ? ["the server is stopping"] : []
    return draining + status.current.obstacles(now: Clock.wallSeconds())
  }

  /// An answer is proof enough that the server is alive.
  func livePage() -> PageAnswer { PageAnswer(text: "alive") }

  func readyPage() -> PageAnswer {
    let obstacles = obstacles()
    return obstacles.isEmpty
      ? PageAnswer(text: "ready")
      : PageAnswer(
        .serviceUnavailable, text: obstacles.map { "not ready: " + $0 }.joined(separator: "\n"))
  }
}
