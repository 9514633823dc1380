internal import Synchronization

/// Hands the newest catalog from the thread that loads to the threads that serve.
///
/// An event loop asks once per turn whether there is a newer one: one atomic load. Only when there
/// is does it take the lock.
package final class CatalogPublisher: Sendable {
  private let generationNumber = Atomic<Int>(0)
  private let catalog: Mutex<Catalog>

  package init(_ first: Catalog) {
    catalog = Mutex(first)
  }

  /// Grows with each catalog, and when readers are to look for something else that is new.
  package var generation: Int { generationNumber.load(ordering: .acquiring) }

  /// The newest catalog.
  package var current: Catalog { catalog.withLock { $0 } }

  package func publish(_ next: Catalog) {
    catalog.withLock { $0 = next }
    generationNumber.add(1, ordering: .releasing)
  }

  /// Lets readers look again, though the catalog is the same.
  package func announce() { generationNumber.add(1, ordering: .releasing) }
}
