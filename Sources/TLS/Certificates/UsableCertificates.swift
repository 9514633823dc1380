internal import Synchronization

/// The decoded certificates of recent handshakes. The capacity limits their number, even if the
/// server has many more certificates.
///
/// All threads share one lock. Only a full handshake takes the lock, at most twice. The signature
/// in such a handshake takes a hundred times as long as both uses of the lock.
final class UsableCertificates: Sendable {
  static let shared = UsableCertificates(capacity: TLSLimits.usableCertificates)

  typealias Entries = [ObjectIdentifier: UsableCertificate]

  private let half: Int
  private let state = Mutex(State())

  /// New and recently used certificates are in the first half, `recent`. When `recent` is full, its
  /// certificates move to the second half, `older`, and the certificates in `older` are dropped.
  /// Dropped certificates were not used recently: a used certificate returns to `recent`.
  private struct State {
    var recent: Entries = [:]
    var older: Entries = [:]

    /// Returns the dropped certificates, so that the caller can free them outside the lock.
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

  /// Returns the decoded form of a certificate; nil if it is not stored. `owner` identifies the
  /// `Certificate`.
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

  /// Drops the decoded form of a certificate that is no longer served.
  func remove(_ owner: ObjectIdentifier) {
    let removed = state.withLock {
      ($0.recent.removeValue(forKey: owner), $0.older.removeValue(forKey: owner))
    }
    withExtendedLifetime(removed) {}
  }
}
