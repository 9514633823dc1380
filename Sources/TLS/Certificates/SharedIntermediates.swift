internal import Synchronization

/// What follows the leaf in chains: the same few certificates in nearly all, kept once.
package final class SharedIntermediates: Sendable {
  private let chains = Mutex<Set<[[UInt8]]>>([])

  package init() {}

  /// The same chain, in memory that all equal ones share.
  func shared(_ chain: [[UInt8]]) -> [[UInt8]] {
    if chain.isEmpty { return [] }
    return chains.withLock { chains in
      // Those of authorities that are used no more; sharing begins anew.
      if chains.count >= Limits.sharedIntermediates { chains.removeAll() }
      return chains.insert(chain).memberAfterInsert
    }
  }
}
