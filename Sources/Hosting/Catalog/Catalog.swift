package import HTTP
internal import Posix
package import TLS

/// A file as one host serves it: the shared content, and when this host's file last changed.
package final class ServedFile: Sendable {
  package let content: Content
  /// Seconds since 1970.
  package let lastModified: Int64
  package let lastModifiedField: LastModifiedField

  init(content: Content, lastModified: Int64) {
    self.content = content
    self.lastModified = lastModified
    lastModifiedField = LastModifiedField(lastModified)
  }
}

/// What a host has at one of the known paths.
package enum Availability: Sendable {
  case served(ServedFile)
  /// There is a file, but no version of it that can be served: 503.
  case unavailable
  /// There is none: 404.
  case absent
}

/// One of the files that a domain can have.
package enum SiteFile: UInt8, Sendable, CaseIterable {
  case association
  case assetLinks
}

/// What one entry of the domains folder serves.
package final class Site: Sendable {
  package let name: DomainName
  package let association: Availability
  package let assetLinks: Availability
  /// Made at the first fetch, so that domains that nobody asks for cost next to nothing.
  private let associationFetches = OnceReference<FetchRecord>()
  private let assetLinksFetches = OnceReference<FetchRecord>()
  /// Seconds since 1970 since when this process has served this version of the association file, or
  /// has had none to serve.
  package let since: Int64

  /// - Parameters:
  ///   - previous: what was known of the same domain before: who fetched it stays known. A first
  ///     fetch of the previous version, in the moment before this one is served, does not.
  ///   - now: seconds since 1970.
  init(
    name: DomainName, association: Availability, assetLinks: Availability,
    after previous: Site? = nil, now: Int64 = 0
  ) {
    self.name = name
    if let previous, previous.association.isSameVersion(as: association) {
      since = previous.since
    } else {
      since = now
    }
    self.association = association
    self.assetLinks = assetLinks
    if let record = previous?.associationFetches.load() {
      _ = associationFetches.storeIfNil(record)
    }
    if let record = previous?.assetLinksFetches.load() { _ = assetLinksFetches.storeIfNil(record) }
  }

  @inline(__always)
  package func availability(of file: SiteFile) -> Availability {
    switch file {
    case .association: association
    case .assetLinks: assetLinks
    }
  }

  /// Stands for the version that is served now; nil when there is none.
  package func version(of file: SiteFile) -> UInt64? {
    guard case .served(let served) = availability(of: file) else { return nil }
    return served.content.version
  }

  /// Who has fetched a file since the server started, or since the domain came.
  package func fetches(of file: SiteFile) -> [Fetch] {
    fetchRecord(of: file)?.fetches ?? []
  }

  /// Notes that a class of fetchers has asked for a file `count` times, last at `time` (seconds
  /// since 1970). Any thread may.
  package func noteFetches(
    of file: SiteFile, by fetcher: FetcherClass, time: Int64, status: UInt16, count: UInt64
  ) {
    let record = fetchRecord(of: file) ?? makeFetchRecord(of: file)
    record.note(fetcher, time: time, status: status, version: version(of: file) ?? 0, count: count)
  }

  @inline(__always)
  private func fetchRecord(of file: SiteFile) -> FetchRecord? {
    switch file {
    case .association: associationFetches.load()
    case .assetLinks: assetLinksFetches.load()
    }
  }

  private func makeFetchRecord(of file: SiteFile) -> FetchRecord {
    switch file {
    case .association: associationFetches.storeIfNil(FetchRecord())
    case .assetLinks: assetLinksFetches.storeIfNil(FetchRecord())
    }
  }
}

/// Everything that is served at one time: immutable, shared by all event loops, replaced whole.
package final class Catalog: Sendable {
  package let sites: [Site]
  private let exact: HostTable
  private let wildcards: HostTable
  /// Serves every other host.
  package var fallback: Site? { fallbackIndex.map { sites[Int($0)] } }
  package let fallbackIndex: Int32?
  /// The hosts that `fallback` may stand for; nil for all.
  private let allowedHosts: HostSet?
  /// The certificates and ticket keys that belong to it; nil without HTTPS.
  package let material: TLSMaterial?

  /// - Parameters:
  ///   - hosts: further hosts of sites, by the sites' places. No host that a site is named after, and
  ///     none that stands before in the list, is overridden.
  ///   - aliases: lower-case host names, each with the host it stands for.
  ///   - allowedHosts: those that `_default` may stand for; empty for all.
  package init(
    sites: [Site], hosts: [(site: Int, names: [DomainName])] = [],
    aliases: [(from: DomainName, to: String)] = [], allowedHosts: [DomainName] = [],
    material: TLSMaterial?
  ) {
    self.allowedHosts = allowedHosts.isEmpty ? nil : HostSet(allowedHosts)
    var exact = HostTable(
      minimumCapacity: sites.count + aliases.count + hosts.reduce(0) { $0 + $1.names.count })
    var wildcards = HostTable()
    var fallback: Int32?
    for (index, site) in sites.enumerated() {
      switch site.name {
      case .host(let host): exact.set(host.utf8, to: Int32(index))
      case .wildcard(let parent): wildcards.set(parent.utf8, to: Int32(index))
      case .any: fallback = Int32(index)
      }
    }
    // Resolved against the entries alone: an alias never leads through another alias.
    let targets = aliases.map { alias in
      Self.index(of: Array(alias.to.utf8), exact, wildcards)
    }
    // An entry of its own wins, and the first of several others.
    func add(_ name: DomainName, _ target: Int32) {
      switch name {
      case .host(let host): exact.setIfNew(host.utf8, to: target)
      case .wildcard(let parent): wildcards.setIfNew(parent.utf8, to: target)
      case .any: fallback = fallback ?? target
      }
    }
    for (site, names) in hosts {
      for name in names { add(name, Int32(site)) }
    }
    for (alias, target) in zip(aliases, targets) {
      if let target { add(alias.from, target) }
    }
    self.sites = sites
    self.exact = exact
    self.wildcards = wildcards
    fallbackIndex = fallback
    self.material = material
  }

  /// The same hosts, some of them with other sites: everything else is shared.
  ///
  /// - Parameter changed: sites that stand for those of the same name.
  func replacing(_ changed: [Site], material: TLSMaterial?) -> Catalog {
    var sites = sites
    for site in changed {
      if let index = index(of: site.name) { sites[index] = site }
    }
    return Catalog(sharing: self, sites: sites, material: material)
  }

  private init(sharing other: Catalog, sites: [Site], material: TLSMaterial?) {
    self.sites = sites
    self.material = material
    exact = other.exact
    wildcards = other.wildcards
    fallbackIndex = other.fallbackIndex
    allowedHosts = other.allowedHosts
  }

  /// The place of the site of this very name.
  package func index(of name: DomainName) -> Int? {
    let found: Int32? =
      switch name {
      case .host(let host): exact.value(of: Array(host.utf8).span, in: 0..<host.utf8.count)
      case .wildcard(let parent):
        wildcards.value(of: Array(parent.utf8).span, in: 0..<parent.utf8.count)
      case .any: fallbackIndex
      }
    guard let found, sites[Int(found)].name == name else { return nil }
    return Int(found)
  }

  /// The site of the host `bytes[range]`: its own entry, else the longest wildcard, else `_default`.
  package func site(for bytes: Span<UInt8>, in range: Range<Int>) -> Site? {
    siteIndex(for: bytes, in: range).map { sites[Int($0)] }
  }

  /// The same, by its place in `sites`. No host at all is another one.
  package func siteIndex(for bytes: Span<UInt8>, in range: Range<Int>) -> Int32? {
    if let index = namedIndex(bytes, range) { return index }
    guard let allowed = allowedHosts, fallbackIndex != nil else { return fallbackIndex }
    return allowed.contains(bytes, range) ? fallbackIndex : nil
  }

  /// Whether an entry names the host `bytes[range]`, itself or by a wildcard; `_default` does not.
  package func names(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
    namedIndex(bytes, range) != nil
  }

  @inline(__always)
  private func namedIndex(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int32? {
    if let index = exact.value(of: bytes, in: range) { return index }
    return wildcards.longestSuffixValue(of: bytes, in: range)
  }

  /// The site of a host that is at hand as text.
  package func site(for host: String) -> Site? {
    let bytes = Array(host.utf8)
    return site(for: bytes.span, in: 0..<bytes.count)
  }

  private static func index(
    of host: [UInt8], _ exact: HostTable, _ wildcards: HostTable
  ) -> Int32? {
    let range = 0..<host.count
    return exact.value(of: host.span, in: range)
      ?? wildcards.longestSuffixValue(of: host.span, in: range)
  }
}
