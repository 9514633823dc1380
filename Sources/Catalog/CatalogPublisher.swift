internal import Synchronization

/// Passes the newest catalog from the maintenance thread to the event loops.
///
/// An event loop checks for a newer catalog once in each turn of the loop, with one atomic load.
/// The loop takes the lock only to get a newer catalog.
package final class CatalogPublisher: Sendable {
  private let generationNumber = Atomic<Int>(0)
  private let catalog: Mutex<Catalog>

  package init(_ first: Catalog) {
    catalog = Mutex(first)
  }

  /// A number that each call of `publish` or `announce` increases.
  package var generation: Int { generationNumber.load(ordering: .acquiring) }

  /// The newest catalog.
  package var current: Catalog { catalog.withLock { $0 } }

  package func publish(_ next: Catalog) {
    catalog.withLock { $0 = next }
    generationNumber.add(1, ordering: .releasing)
  }

  /// Makes the event loops get the catalog again, although the catalog has not changed. Call this
  /// function if the settings of the loops have changed.
  package func announce() { generationNumber.add(1, ordering: .releasing) }
}
