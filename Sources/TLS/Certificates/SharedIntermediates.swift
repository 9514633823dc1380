internal import Synchronization

/// The intermediates of chains, shared in memory because nearly all chains have the same few.
package final class SharedIntermediates: Sendable {
  private let chains = Mutex<Set<[[UInt8]]>>([])

  package init() {}

  /// Returns an equal chain whose memory all equal chains share.
  func shared(_ chain: [[UInt8]]) -> [[UInt8]] {
    if chain.isEmpty { return [] }
    return chains.withLock { chains in
      // Most of these chains are probably no longer used, so start over.
      if chains.count >= TLSLimits.sharedIntermediates { chains.removeAll() }
      return chains.insert(chain).memberAfterInsert
    }
  }
}
