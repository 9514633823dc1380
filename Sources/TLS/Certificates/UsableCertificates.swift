internal import Synchronization

/// The certificates that handshakes used lately, decoded: at most so many, however many are served.
///
/// One lock for all threads, taken twice at most in a full handshake, whose signature takes a
/// hundred times as long, and never for anything else.
final class UsableCertificates: Sendable {
  static let shared = UsableCertificates(capacity: Limits.usableCertificates)

  private let capacity: Int
  private let state = Mutex(State())

  private struct State {
    var places: [UInt64: Int] = [:]
    var entries: [Entry] = []
    /// Where the search for one to give up goes on.
    var hand = 0
  }

  private struct Entry {
    var number: UInt64
    var certificate: UsableCertificate
    var isUsed: Bool
  }

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { state.withLock { $0.entries.count } }

  /// The certificate kept under this number.
  func find(_ number: UInt64) -> UsableCertificate? {
    state.withLock { state in
      guard let place = state.places[number] else { return nil }
      state.entries[place].isUsed = true
      return state.entries[place].certificate
    }
  }

  /// Keeps a certificate, if need be in the place of one that was not used since the hand last came
  /// by ("second chance": nearly as good as the least recently used, without a list).
  func keep(_ certificate: UsableCertificate, as number: UInt64) {
    // What is given up is freed after the lock.
    let replaced: UsableCertificate? = state.withLock { state in
      let entry = Entry(number: number, certificate: certificate, isUsed: false)
      if let place = state.places[number] {
        let old = state.entries[place].certificate
        state.entries[place] = entry
        return old
      }
      if state.entries.count < capacity {
        state.places[number] = state.entries.count
        state.entries.append(entry)
        return nil
      }
      while state.entries[state.hand].isUsed {
        state.entries[state.hand].isUsed = false
        state.hand = (state.hand + 1) % capacity
      }
      let old = state.entries[state.hand]
      state.places[old.number] = nil
      state.places[number] = state.hand
      state.entries[state.hand] = entry
      state.hand = (state.hand + 1) % capacity
      return old.certificate
    }
    withExtendedLifetime(replaced) {}
  }

  /// Forgets a certificate that is served no more.
  func remove(_ number: UInt64) {
    let removed: UsableCertificate? = state.withLock { state in
      guard let place = state.places.removeValue(forKey: number) else { return nil }
      let removed = state.entries[place].certificate
      // The last one takes its place.
      let last = state.entries.removeLast()
      if last.number != number {
        state.entries[place] = last
        state.places[last.number] = place
      }
      if state.hand >= state.entries.count { state.hand = 0 }
      return removed
    }
    withExtendedLifetime(removed) {}
  }
}
