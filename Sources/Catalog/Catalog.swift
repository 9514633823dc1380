internal import HTTP
internal import Posix
package import Settings
package import TLS

/// The file that one host serves: its content and its modification time. Several hosts may share
/// the content, but each host has its own modification time.
package final class ServedFile: Sendable {
  package let content: Content
  /// Seconds since 1970.
  package let lastModified: Int64
  let lastModifiedField: LastModifiedField

  package init(content: Content, lastModified: Int64) {
    self.content = content
    self.lastModified = lastModified
    lastModifiedField = LastModifiedField(lastModified)
  }
}

/// How a host responds to requests for one of the well-known files.
package enum Availability: Sendable {
  case served(ServedFile)
  /// The file exists, but no version of it can be served. The status code is 503.
  case unavailable
  /// The file does not exist. The status code is 404.
  case absent
}

/// The files that the server serves for one entry of the domains folder.
package final class Site: Sendable {
  package let name: DomainName
  /// The responses for the well-known files. The index of a response is the file's number in
  /// `WellKnownFiles`. The array has no elements after the last existing file, so most arrays have
  /// only one element.
  package let answers: [Availability]
  /// Returns whether the association file makes devices open a link in an app. A browser that
  /// requests such a link gets the page for people without the app. Nil if the site has no page.
  package let opensApp: (@Sendable ([UInt8]) -> Bool)?
  /// The records of fetches, one for each counted file. A record is created at the first fetch of
  /// its file, so that sites without fetches take almost no memory.
  private let fetchRecords = InlineArray<2, OnceReference<FetchRecord>> { _ in OnceReference() }
  /// When this process began to serve the current version of the association file, or began to
  /// serve no version, in seconds since 1970.
  package let since: Int64

  /// The number of files whose fetches are counted: the association file and `assetlinks.json`.
  static let countedFiles = 2

  /// - Parameters:
  ///   - previous: The previous site of the same domain. The new site continues the previous site's
  ///     records of fetches. If the first fetch of a file occurs during the replacement, the fetch
  ///     might not be recorded.
  ///   - now: Seconds since 1970.
  package init(
    name: DomainName, answers: [Availability], opensApp: (@Sendable ([UInt8]) -> Bool)? = nil,
    after previous: Site? = nil, now: Int64 = 0
  ) {
    self.name = name
    self.answers = answers
    self.opensApp = opensApp
    let association = answers.first ?? .absent
    if let previous, previous.association.isSameVersion(as: association) {
      since = previous.since
    } else {
      since = now
    }
    guard let previous else { return }
    for number in 0..<Self.countedFiles {
      guard let record = previous.fetchRecords[number].load() else { continue }
      _ = fetchRecords[number].storeIfNil(record)
    }
  }

  /// Makes the site that answers in place of `own`, which has no good version of the association
  /// file. Each file comes from `own` if `own` can serve the file, and otherwise from `other`. A
  /// fetch is recorded for the site whose file was served.
  init(_ own: Site, with other: Site) {
    name = own.name
    opensApp = other.opensApp
    since = other.since
    let count = max(own.answers.count, other.answers.count)
    let page = opensApp == nil ? nil : count - 1
    answers = (0..<count).map { number in
      let answer = own.availability(of: number)
      // Serve a page only together with the association file of the same site. This stand-in serves
      // the association file of `other`, so do not serve the page of `own`.
      if case .served = answer, number != page { return answer }
      let otherAnswer = other.availability(of: number)
      if case .served = otherAnswer { return otherAnswer }
      return answer
    }
    for number in 0..<Self.countedFiles {
      let source = if case .served = own.availability(of: number) { own } else { other }
      _ = fetchRecords[number].storeIfNil(source.record(of: number))
    }
  }

  private func record(of number: Int) -> FetchRecord {
    fetchRecords[number].load() ?? fetchRecords[number].storeIfNil(FetchRecord())
  }

  /// Whether the site has any file to serve.
  package var servesFiles: Bool {
    answers.contains { if case .served = $0 { true } else { false } }
  }

  package var association: Availability { availability(of: WellKnownFiles.association) }
  package var assetLinks: Availability { availability(of: WellKnownFiles.assetLinks) }

  /// Returns the response for the file with this number.
  @inline(__always)
  package func availability(of number: Int) -> Availability {
    number < answers.count ? answers[number] : .absent
  }

  /// Returns the version number of the served file; nil if no version is served.
  package func version(of number: Int) -> UInt64? {
    guard case .served(let served) = availability(of: number) else { return nil }
    return served.content.version
  }

  /// Returns the fetches of a counted file since the start of the server, or since the domain was
  /// added if that was later.
  package func fetches(of number: Int) -> [Fetch] {
    fetchRecords[number].load()?.fetches ?? []
  }

  /// Records `count` fetches of a counted file by clients of one class. The last of these fetches
  /// was at `time`, in seconds since 1970. Any thread may call this function.
  package func noteFetches(
    of number: Int, by fetcher: FetcherClass, time: Int64, status: UInt16, count: UInt64
  ) {
    record(of: number).note(
      fetcher, time: time, status: status, version: version(of: number) ?? 0, count: count)
  }
}

/// Everything that the server serves at a given moment. A catalog is immutable, shared by all event
/// loops, and replaced as a whole.
package final class Catalog: Sendable {
  package let sites: [Site]
  /// For each name, the index in `answering` of the site that answers requests for the name. The
  /// site of `_default` answers for all other names.
  private let table: HostNames
  /// All sites of the catalog, followed by the stand-ins for sites without a good version.
  private let answering: [Site]
  private let standIns: StandIns
  /// The hosts for which `_default` may answer; nil if it may answer for every host.
  private let allowedHosts: HostSet?
  /// The certificates and session ticket keys for HTTPS; nil if HTTPS is off.
  package let material: TLSMaterial?
  /// Whether there may be hosts that the server does not know yet, for example in an unreadable
  /// list. If so, unknown hosts get 503, because a 404 would tell clients that there is no file.
  package let isIncomplete: Bool
  /// The hosts of each list. After these lists, the array contains the hosts that are still served
  /// although they are no longer in their lists.
  package let lists: [[DomainName]]
  /// The aliases that point to a site.
  private let aliases: [DomainName]

  /// - Parameters:
  ///   - hosts: The listed hosts of each site. If several sites list a host, the host belongs to
  ///     the site with the host's name, or else to the entry that `owner` returns, or else to the
  ///     first of these sites in `hosts`.
  ///   - keptHosts: Hosts that are still served, although they are no longer in their lists.
  ///   - aliases: Lower-case host names, each with the host whose site answers for the alias.
  ///   - allowedHosts: The hosts for which `_default` may answer; empty if it may answer for every
  ///     host.
  ///   - owner: Returns the entry that served a listed host before; nil if no entry served the
  ///     host.
  package init(
    sites: [Site], hosts: [(site: Int, names: [DomainName])] = [],
    keptHosts: [(site: Int, names: [DomainName])] = [],
    aliases: [(from: DomainName, to: String)] = [], allowedHosts: [DomainName] = [],
    isIncomplete: Bool = false, material: TLSMaterial?,
    owner: (DomainName) -> DomainName? = { _ in nil }
  ) {
    self.isIncomplete = isIncomplete
    self.allowedHosts = allowedHosts.isEmpty ? nil : HostSet(allowedHosts)
    let lists = hosts + keptHosts
    var table = HostNames(
      minimumCapacity: sites.count + aliases.count + lists.reduce(0) { $0 + $1.names.count })
    for (index, site) in sites.enumerated() { table.add(site.name, Int32(index)) }
    // Resolve aliases only to entries, never through another alias.
    let targets = aliases.map { table.find(Array($0.to.utf8)) }
    // A host belongs to the entry with the host's name, or else to the entry that served the host
    // before, or else to the first entry that lists the host.
    if hosts.count > 1 {
      for (site, names) in hosts {
        for name in names where owner(name) == sites[site].name { table.add(name, Int32(site)) }
      }
    }
    for (site, names) in lists {
      for name in names { table.add(name, Int32(site)) }
    }
    for (alias, target) in zip(aliases, targets) {
      if let target { table.add(alias.from, target) }
    }
    standIns = table.standIn(sites, lists, aliases, allowed: self.allowedHosts)
    self.sites = sites
    self.table = table
    answering = standIns.isEmpty ? sites : sites + standIns.sites
    self.lists = lists.map(\.names)
    self.aliases = zip(aliases, targets).compactMap { $1 == nil ? nil : $0.from }
    self.material = material
  }

  /// Returns a copy of this catalog with new versions of some sites and with `material`. Both
  /// catalogs share all other parts. Returns nil if a host would then belong to another entry.
  ///
  /// - Parameter changed: Sites that replace the sites of the same names.
  package func replacing(_ changed: [Site], material: TLSMaterial?) -> Catalog? {
    var sites = sites
    for site in changed {
      guard let index = index(of: site.name) else { continue }
      let old = sites[index]
      guard old.isWeak == site.isWeak, old.hasAssociation == site.hasAssociation,
        standIns.isEmpty || !standIns.contain(index)
      else { return nil }
      sites[index] = site
    }
    return Catalog(sharing: self, sites: sites, material: material)
  }

  private init(sharing other: Catalog, sites: [Site], material: TLSMaterial?) {
    self.sites = sites
    self.material = material
    isIncomplete = other.isIncomplete
    table = other.table
    standIns = other.standIns
    answering = standIns.isEmpty ? sites : sites + standIns.sites
    lists = other.lists
    aliases = other.aliases
    allowedHosts = other.allowedHosts
  }

  /// The names of entries, listed hosts and aliases. For example, a name that is an entry and an
  /// alias appears twice.
  private var names: some Sequence<DomainName> {
    (lists + [aliases, sites.map(\.name)]).lazy.joined()
  }

  /// The hosts that are entries, listed hosts or aliases, without duplicates and in no particular
  /// order. Omits hosts that only a wildcard or `_default` covers. Omits names without a dot,
  /// because no device can request these names.
  package var hosts: [String] {
    var found: Set<String> = []
    for case .host(let host) in names where host.isDotted { found.insert(host) }
    return Array(found)
  }

  /// The number of hosts and wildcards that are entries, listed hosts or aliases. Omits names
  /// without a dot.
  package var hostCount: Int {
    table.exact.count - table.exact.undottedCount + table.wildcards.count
  }

  /// Returns the site to which an entry's name, a listed host or an alias belongs; nil for other
  /// names. Even a site whose association file has no good version is returned, not its stand-in.
  package func namedSite(_ name: DomainName) -> Site? {
    namedIndex(name).map { sites[Int($0)] }
  }

  /// Returns the site whose association file is served for a name because the name's own site has
  /// no good version. Returns nil if the name's own site answers, or if the name is unknown.
  package func standIn(for name: DomainName) -> Site? {
    guard let found = table[name], found >= sites.count else { return nil }
    return sites[Int(standIns.other(Int(found) - sites.count))]
  }

  /// The wildcards and their parent domains, sorted. The wildcard `*.example.com` contributes both
  /// `*.example.com` and `example.com`, because a wildcard also covers its parent domain. Omits
  /// names that are in `hosts`.
  package var wildcards: [String] {
    var found: Set<String> = []
    for case .wildcard(let parent) in names { found.formUnion(["*." + parent, parent]) }
    return found.subtracting(hosts).sorted()
  }

  /// Returns the index of the site whose own name equals `name`; nil if there is no such site.
  package func index(of name: DomainName) -> Int? {
    guard let found = namedIndex(name), sites[Int(found)].name == name else { return nil }
    return Int(found)
  }

  private func namedIndex(_ name: DomainName) -> Int32? {
    table[name].map { $0 < sites.count ? $0 : standIns.own(Int($0) - sites.count) }
  }

  /// Returns the site at an index that `siteIndex` has returned.
  @inline(__always)
  package func site(at index: Int32) -> Site { answering[Int(index)] }

  /// Returns the site that answers for the host `bytes[range]`. This is the site to which the host
  /// belongs, or else the site of the nearest wildcard, or else the site of `_default`. If that
  /// site has no good version, the next of these sites with a good version answers.
  package func site(for bytes: Span<UInt8>, in range: Range<Int>) -> Site? {
    siteIndex(for: bytes, in: range).map { site(at: $0) }
  }

  /// Returns the index of the site that answers for a host; see `site(for:in:)`. A request without
  /// a host gets the site of `_default`.
  @inline(__always)
  func siteIndex(for bytes: Span<UInt8>, in range: Range<Int>) -> Int32? {
    if let index = namedIndex(bytes, range) { return index }
    guard let allowed = allowedHosts, table.fallback != nil else { return table.fallback }
    return allowed.contains(bytes, range) ? table.fallback : nil
  }

  /// Whether an entry, a list or an alias covers the host `bytes[range]`, exactly or by a wildcard.
  /// Ignores `_default`.
  package func names(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
    namedIndex(bytes, range) != nil
  }

  @inline(__always)
  private func namedIndex(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int32? {
    if let index = table.exact.value(of: bytes, in: range) { return index }
    return table.wildcards.longestSuffixValue(of: bytes, in: range)
  }

  /// Returns the site that answers for a host.
  package func site(for host: String) -> Site? {
    let bytes = Array(host.utf8)
    return site(for: bytes.span, in: 0..<bytes.count)
  }
}

extension DomainName {
  /// Whether the name has a dot. An entry whose name has no dot is useful only for its list of
  /// hosts, because no device requests the name.
  package var isDotted: Bool {
    if case .host(let host) = self { host.isDotted } else { true }
  }
}

extension String {
  fileprivate var isDotted: Bool { utf8.contains(UInt8(ascii: ".")) }
}

/// A set of hosts and wildcards. A wildcard covers a domain and all its subdomains.
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

  /// Whether the set contains all hosts below a domain.
  func containsAll(below domain: Span<UInt8>) -> Bool {
    wildcards.longestSuffixValue(of: domain, in: 0..<domain.count) != nil
  }
}

extension Site {
  /// Whether both sites serve the same files with the same modification times.
  package func isSame(as other: Site) -> Bool {
    answers.elementsEqual(other.answers) { $0.isSame(as: $1) }
  }
}

extension Availability {
  /// Whether the two values serve the same content, or serve no content and have the same status.
  /// Ignores the modification times.
  func isSameVersion(as other: Availability) -> Bool {
    switch (self, other) {
    case (.absent, .absent), (.unavailable, .unavailable): true
    case (.served(let left), .served(let right)): left.content === right.content
    default: false
    }
  }

  func isSame(as other: Availability) -> Bool {
    if case .served(let left) = self, case .served(let right) = other,
      left.lastModified != right.lastModified
    {
      return false
    }
    return isSameVersion(as: other)
  }
}
