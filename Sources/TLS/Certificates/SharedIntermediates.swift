internal import Synchronization

/// The intermediates of chains, shared because nearly all chains have the same few.
package final class SharedIntermediates: Sendable {
  private let state = Mutex(State())

  private struct State {
    var chains: Set<[[UInt8]]> = []
    /// Whether each self-issued certificate is a root.
    var roots: [[UInt8]: Bool] = [:]
  }

  package init() {}

  /// Returns the same chain, in memory that all equal chains share.
  func shared(_ chain: [[UInt8]]) -> [[UInt8]] {
    if chain.isEmpty { return [] }
    return state.withLock { state in
      // Most of the chains are out of use by now, so start over.
      if state.chains.count >= TLSLimits.sharedIntermediates { state.chains.removeAll() }
      return state.chains.insert(chain).memberAfterInsert
    }
  }

  /// Returns whether a certificate is signed with its own key. The answer is kept, because OpenSSL
  /// takes long to parse a certificate.
  func isRoot(_ der: [UInt8]) -> Bool {
    if let known = state.withLock({ $0.roots[der] }) { return known }
    let isRoot = X509(der: der)?.isSelfSigned == true
    state.withLock { state in
      if state.roots.count >= TLSLimits.sharedIntermediates { state.roots.removeAll() }
      state.roots[der] = isRoot
    }
    return isRoot
  }
}
