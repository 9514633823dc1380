internal import Synchronization

/// The decoded certificates of recent handshakes. Their number is bounded, even if many more are
/// served.
///
/// All threads share one lock. Only a full handshake takes the lock, at most twice, and the
/// handshake's signature takes a hundred times as long.
final class UsableCertificates: Sendable {
  static let shared = UsableCertificates(capacity: TLSLimits.usableCertificates)

  typealias Entries = [ObjectIdentifier: UsableCertificate]

  private let half: Int
  private let state = Mutex(State())

  /// New and used entries are in the first half. When it is full, it becomes the second half, and
  /// the entries of the old second half, unused since then, are dropped.
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

  /// Returns the certificate kept for this owner.
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
