internal import Synchronization

/// The intermediates of chains, shared because nearly all chains have the same few.
package final class SharedIntermediates: Sendable {
  private let chains = Mutex<Set<[[UInt8]]>>([])

  package init() {}

  /// Returns the same chain, in memory that all equal chains share.
  func shared(_ chain: [[UInt8]]) -> [[UInt8]] {
    if chain.isEmpty { return [] }
    return chains.withLock { chains in
      // Most of the chains are out of use by now, so start over.
      if chains.count >= TLSLimits.sharedIntermediates { chains.removeAll() }
      return chains.insert(chain).memberAfterInsert
    }
  }
}
