internal import Bytes
internal import Posix
internal import Synchronization

/// The addresses at which a server with another account has just answered. A load balancer leads
/// there only sometimes, so a name that does not meet it must not be ordered either.
final class Rivals: Sendable {
  private let met = Mutex<[IPAddress: (account: String, until: Int64)]>([:])

  /// Notes what was seen at an address. Returns what is known about it.
  func sight(after sight: NameCheck.Sight, at address: SocketAddress) -> NameCheck.Sight {
    let now = Clock.monotonicMilliseconds()
    return met.withLock { met in
      met = met.filter { $0.value.until > now }
      if case .rival(let account) = sight {
        met[address.address] = (account, now + IssuanceLimits.rivalLife)
      }
      return sight == .here ? met[address.address].map { .rival($0.account) } ?? sight : sight
    }
  }
}
