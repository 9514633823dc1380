package import Client
package import Posix
package import TLS

/// The functions through which a check uses the outside world. Tests replace them.
package struct World: Sendable {
  /// Makes a request.
  package typealias Fetch =
    @Sendable (FetchRequest, FetchOptions, _ keeping: KeptConnection?) -> Exchange

  package var fetch: Fetch
  /// Returns the seconds since 1970.
  package var now: @Sendable () -> Int64 = Clock.wallSeconds
  /// Returns the target of a host's CNAME record; nil if there is none, or if DNS did not answer.
  package var alias: @Sendable (_ host: String) -> String? = Checking.alias
  /// Returns whether this machine has a route to an address.
  package var hasRoute: @Sendable (SocketAddress) -> Bool = Posix.hasRoute
  /// Returns whether this machine's hosts file lists addresses for a host.
  package var isInHostsFile: @Sendable (_ host: String) -> Bool = {
    !localAddresses(of: $0, port: 443).isEmpty
  }

  package init(fetch: @escaping Fetch) { self.fetch = fetch }

  /// The network of this machine.
  package init(_ context: ClientContext) {
    self.init { Client.fetch($0, $1, context: context, keeping: $2) }
  }

  /// Returns whether this machine causes the fault, because it has no route to any of the addresses
  /// that were tried.
  func isWithoutRoute(_ fault: FetchFault) -> Bool {
    guard case .unreachable(let attempts) = fault, !attempts.isEmpty else { return false }
    return attempts.allSatisfy { !hasRoute($0.address) }
  }

  /// Returns whether this machine causes the fault by its proxy, its resolver, or a missing route.
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
