package import Posix
internal import Synchronization

/// Passes the newest catalog from the maintenance thread to the event loops.
///
/// An event loop checks for a newer catalog once in each turn of the loop, with one atomic load.
/// The loop takes the lock only to get a newer catalog. A waiting loop is woken, so that an idle loop
/// also gets it.
package final class CatalogPublisher: Sendable {
  private let generationNumber = Atomic<Int>(0)
  private let catalog: Mutex<Catalog>
  private let wakeups = Mutex<[Wakeup]>([])

  package init(_ first: Catalog) {
    catalog = Mutex(first)
  }

  /// A number that each call of `publish` or `announce` increases.
  package var generation: Int { generationNumber.load(ordering: .acquiring) }

  /// The newest catalog.
  package var current: Catalog { catalog.withLock { $0 } }

  package func publish(_ next: Catalog) {
    catalog.withLock { $0 = next }
    announce()
  }

  /// Makes the event loops get the catalog again. Call this function if only the settings of the
  /// loops have changed.
  package func announce() {
    generationNumber.add(1, ordering: .releasing)
    wakeups.withLock { for wakeup in $0 { wakeup.signal() } }
  }

  /// Signals `wakeup` after each later call of `publish` or `announce`.
  package func wake(_ wakeup: Wakeup) { wakeups.withLock { $0.append(wakeup) } }
}
