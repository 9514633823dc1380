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
  ///   - aliases: lower-case host names, each with the host it stands for.
  ///   - allowedHosts: those that `_default` may stand for; empty for all.
  package init(
    sites: [Site], aliases: [(from: DomainName, to: String)], allowedHosts: [DomainName] = [],
    material: TLSMaterial?
  ) {
    self.allowedHosts = allowedHosts.isEmpty ? nil : HostSet(allowedHosts)
    var exact = HostTable(minimumCapacity: sites.count + aliases.count)
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
    for (alias, target) in zip(aliases, targets) {
      guard let target else { continue }
      // An entry of its own wins, and the first of several aliases.
      switch alias.from {
      case .host(let host):
        let bytes = Array(host.utf8)
        if exact.value(of: bytes.span, in: 0..<bytes.count) == nil {
          exact.set(bytes, to: target)
        }
      case .wildcard(let parent):
        let bytes = Array(parent.utf8)
        if wildcards.value(of: bytes.span, in: 0..<bytes.count) == nil {
          wildcards.set(bytes, to: target)
        }
      case .any: fallback = fallback ?? target
      }
    }
    self.sites = sites
    self.exact = exact
    self.wildcards = wildcards
    fallbackIndex = fallback
    self.material = material
  }

  /// The site of the host `bytes[range]`: its own entry, else the longest wildcard, else `_default`.
  package func site(for bytes: Span<UInt8>, in range: Range<Int>) -> Site? {
    siteIndex(for: bytes, in: range).map { sites[Int($0)] }
  }

  /// The same, by its place in `sites`. No host at all is another one.
  package func siteIndex(for bytes: Span<UInt8>, in range: Range<Int>) -> Int32? {
    if let index = exact.value(of: bytes, in: range) { return index }
    if let index = wildcards.longestSuffixValue(of: bytes, in: range) { return index }
    guard let allowed = allowedHosts, fallbackIndex != nil else { return fallbackIndex }
    return allowed.contains(bytes, range) ? fallbackIndex : nil
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
