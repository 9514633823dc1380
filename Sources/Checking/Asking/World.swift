package import Client
package import Posix
package import TLS

/// The functions with which a check uses the network and the clock. Tests replace these functions.
package struct World: Sendable {
  /// Makes a request, and returns the request with its answer.
  package typealias Fetch =
    @Sendable (FetchRequest, FetchOptions, _ keeping: KeptConnection?) -> Exchange

  package var fetch: Fetch
  /// Returns the current time in seconds since 1970.
  package var now: @Sendable () -> Int64 = Clock.wallSeconds
  /// Returns the target of a host's CNAME record. Nil if the host has no such record, or DNS did
  /// not answer.
  package var alias: @Sendable (_ host: String) -> String? = Checking.alias
  /// Returns whether this machine has a route to an address.
  package var hasRoute: @Sendable (SocketAddress) -> Bool = Posix.hasRoute
  /// Returns whether the hosts file of this machine lists an address for a host.
  package var isInHostsFile: @Sendable (_ host: String) -> Bool = {
    !localAddresses(of: $0, port: 443).isEmpty
  }

  package init(fetch: @escaping Fetch) { self.fetch = fetch }

  /// Makes a world that uses the real network of this machine.
  package init(_ context: ClientContext) {
    self.init { Client.fetch($0, $1, context: context, keeping: $2) }
  }

  /// Returns whether this machine causes a fault, because it has no route to any of the addresses
  /// that the request tried.
  func isWithoutRoute(_ fault: FetchFault) -> Bool {
    guard case .unreachable(let attempts) = fault, !attempts.isEmpty else { return false }
    return attempts.allSatisfy { !hasRoute($0.address) }
  }

  /// Returns whether this machine causes a fault: through its proxy, through its resolver, or
  /// because it has no route to the host.
  func isOfMachine(_ fault: FetchFault, _ exchange: Exchange) -> Bool {
    switch fault {
    case .proxy: true
    case .unreachable: exchange.usesProxy || isWithoutRoute(fault)
    case .unresolved(.noAddress): false
    case .unresolved: true
    default: false
    }
  }
}
