internal import Settings

/// A set of hosts and of domains with all their subdomains.
struct HostSet: Sendable {
  private var exact = HostTable()
  private var wildcards = HostTable()

  init(_ names: [DomainName]) {
    for name in names {
      switch name {
      case .host(let host): exact.set(host.utf8, to: 0)
      case .wildcard(let parent): wildcards.set(parent.utf8, to: 0)
      case .any: break
      }
    }
  }

  func contains(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    exact.value(of: bytes, in: range) != nil
      || wildcards.longestSuffixValue(of: bytes, in: range) != nil
  }
}
