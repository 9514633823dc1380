internal import Synchronization

/// The decoded certificates of recent handshakes. Their number is bounded, even if the server has
/// many more certificates.
///
/// All threads share one lock. Only a full handshake takes the lock, at most twice. Its signature
/// takes a hundred times as long as its use of the lock.
final class UsableCertificates: Sendable {
  static let shared = UsableCertificates(capacity: TLSLimits.usableCertificates)

  typealias Entries = [ObjectIdentifier: UsableCertificate]

  private let half: Int
  private let state = Mutex(State())

  /// New and recently used entries are in the first half. When the first half is full, it replaces
  /// the second half. The entries of the old second half are dropped: they have not been used
  /// recently, because a used entry returns to the first half.
  private struct State {
    var recent: Entries = [:]
    var older: Entries = [:]

    /// Returns the dropped entries, so that they can be freed outside the lock.
    mutating func add(
      _ certificate: UsableCertificate, _ owner: ObjectIdentifier, half: Int
    ) -> Entries {
      var given: Entries = [:]
      if recent.count >= half, recent[owner] == nil {
        (given, older, recent) = (older, recent, [:])
      }
      recent[owner] = certificate
      return given
    }
  }

  init(capacity: Int) { half = max(1, capacity / 2) }

  var count: Int { state.withLock { $0.recent.count + $0.older.count } }

  /// Returns the decoded certificate kept for this owner, which is a `Certificate`.
  func find(_ owner: ObjectIdentifier) -> UsableCertificate? {
    var given: Entries = [:]
    let found: UsableCertificate? = state.withLock { state in
      if let recent = state.recent[owner] { return recent }
      guard let older = state.older.removeValue(forKey: owner) else { return nil }
      given = state.add(older, owner, half: half)
      return older
    }
    withExtendedLifetime(given) {}
    return found
  }

  func keep(_ certificate: UsableCertificate, for owner: ObjectIdentifier) {
    let given = state.withLock { $0.add(certificate, owner, half: half) }
    withExtendedLifetime(given) {}
  }

  /// Forgets a certificate that is no longer served.
  func remove(_ owner: ObjectIdentifier) {
    let removed = state.withLock {
      ($0.recent.removeValue(forKey: owner), $0.older.removeValue(forKey: owner))
    }
    withExtendedLifetime(removed) {}
  }
}
