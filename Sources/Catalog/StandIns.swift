internal import Settings

/// The stand-ins of a catalog. If the preferred entry for a host has no good version of the
/// association file, a stand-in answers for the host. The stand-in serves the file of the next
/// entry that covers the host and has a good version.
///
/// Stand-ins are chosen when a catalog is made. Therefore, a request for a host with a stand-in
/// needs only one look-up, like a request for any other host.
struct StandIns: Sendable {
  /// The indices of a host's own site and of the site whose association file is served instead.
  private struct Pair: Hashable {
    let own: Int32
    let other: Int32
  }

  private var pairs: [Pair] = []
  private var numbers: [Pair: Int32] = [:]
  /// The stand-in for each pair, in the order of `pairs`.
  private(set) var sites: [Site] = []

  var isEmpty: Bool { pairs.isEmpty }

  /// Returns the index of the stand-in for a pair of sites. Makes the stand-in if it does not exist
  /// yet.
  fileprivate mutating func add(_ own: Int32, _ other: Int32, _ all: [Site]) -> Int32 {
    let pair = Pair(own: own, other: other)
    if let known = numbers[pair] { return known }
    let number = Int32(all.count + pairs.count)
    pairs.append(pair)
    numbers[pair] = number
    sites.append(Site(all[Int(own)], with: all[Int(other)]))
    return number
  }

  /// Returns the index of the pair's own site, which has no good version of the association file.
  func own(_ index: Int) -> Int32 { pairs[index].own }

  /// Returns the index of the pair's other site, whose association file is served instead.
  func other(_ index: Int) -> Int32 { pairs[index].other }

  /// Whether the site at this index belongs to any pair.
  func contain(_ site: Int) -> Bool { pairs.contains { $0.own == site || $0.other == site } }
}

/// The names in a catalog, each with the index of the site that answers requests for the name.
struct HostNames: Sendable {
  var exact: HostTable
  var wildcards = HostTable()
  /// The index of the site that answers for all other hosts; nil if no site does.
  var fallback: Int32?

  init(minimumCapacity: Int = 0) { exact = HostTable(minimumCapacity: minimumCapacity) }

  /// Adds a name unless the table already contains the name.
  mutating func add(_ name: DomainName, _ value: Int32) {
    switch name {
    case .host(let host): exact.setIfNew(host.utf8, to: value)
    case .wildcard(let parent): wildcards.setIfNew(parent.utf8, to: value)
    case .any: fallback = fallback ?? value
    }
  }

  /// Changes the site that answers for a name.
  fileprivate mutating func set(_ name: DomainName, _ value: Int32) {
    switch name {
    case .host(let host): exact.set(host.utf8, to: value)
    case .wildcard(let parent): wildcards.set(parent.utf8, to: value)
    case .any: fallback = value
    }
  }

  subscript(name: DomainName) -> Int32? {
    switch name {
    case .host(let host): exact.value(of: Array(host.utf8).span, in: 0..<host.utf8.count)
    case .wildcard(let parent):
      wildcards.value(of: Array(parent.utf8).span, in: 0..<parent.utf8.count)
    case .any: fallback
    }
  }

  /// Returns the index of the site that answers for a host. Ignores `_default`.
  func find(_ host: [UInt8]) -> Int32? {
    let range = 0..<host.count
    return exact.value(of: host.span, in: range)
      ?? wildcards.longestSuffixValue(of: host.span, in: range)
  }
}

extension HostNames {
  /// For each name whose preferred entry has no good version, chooses another entry with a good
  /// version. Looks first for a list that contains the name, then for a wildcard that covers the
  /// name, then for `_default`.
  ///
  /// - Parameters:
  ///   - lists: The names in each list of hosts, with the index of the list's site, in order of
  ///     priority.
  ///   - aliases: The aliases, each with the host that it points to.
  ///   - allowed: The hosts for which `_default` may answer; nil if it may answer for every host.
  mutating func standIn(
    _ sites: [Site], _ lists: [(site: Int, names: [DomainName])],
    _ aliases: [(from: DomainName, to: String)], allowed: HostSet?
  ) -> StandIns {
    var standIns = StandIns()
    var weak: [(name: DomainName, own: Int32)] = []
    for (index, site) in sites.enumerated() where site.isWeak {
      weak.append((site.name, Int32(index)))
    }
    if weak.isEmpty { return standIns }
    for (site, names) in lists where sites[site].isWeak {
      weak += names.map { ($0, Int32(site)) }
    }
    weak.removeAll { self[$0.name] != $0.own }
    var affected = HostNames()
    for (name, own) in weak { affected.add(name, own) }
    var good = HostNames()
    for (index, site) in sites.enumerated() where site.hasAssociation {
      if case .wildcard = site.name { good.add(site.name, Int32(index)) }
    }
    for (site, names) in lists where sites[site].hasAssociation {
      for name in names {
        if case .host = name, affected[name] == nil { continue }
        good.add(name, Int32(site))
      }
    }
    if let fallback, sites[Int(fallback)].hasAssociation { good.fallback = fallback }
    for (name, own) in weak {
      guard let other = good.first(for: name, allowed) else { continue }
      set(name, standIns.add(own, other, sites))
    }
    // A request for an alias gets the same response as a request for the host that the alias points
    // to.
    for alias in aliases {
      guard let own = self[alias.from], own < sites.count, sites[Int(own)].isWeak,
        let value = find(Array(alias.to.utf8)), value >= sites.count
      else { continue }
      set(alias.from, value)
    }
    return standIns
  }

  /// Returns the index of the first site that covers every host of a name. Tries the name itself,
  /// then wildcards, then `_default`.
  private func first(for name: DomainName, _ allowed: HostSet?) -> Int32? {
    switch name {
    case .host(let name):
      let host = Array(name.utf8)
      let isAllowed = allowed.map { $0.contains(host.span, 0..<host.count) } ?? true
      return find(host) ?? (isAllowed ? fallback : nil)
    case .wildcard(let parent):
      // Ignore an entry for the parent domain, because that entry does not cover the subdomains.
      let host = Array(parent.utf8)
      let isAllowed = allowed.map { $0.containsAll(below: host.span) } ?? true
      return wildcards.longestSuffixValue(of: host.span, in: 0..<host.count)
        ?? (isAllowed ? fallback : nil)
    case .any: return nil
    }
  }
}

extension Site {
  /// Whether the site serves a version of the association file.
  var hasAssociation: Bool {
    if case .served = association { true } else { false }
  }

  /// Whether another entry may answer for the site's hosts: true if the site's association file has
  /// no good version, or if the site has no files at all. If the site has no association file, but
  /// has other well-known files, the site keeps its hosts.
  var isWeak: Bool {
    switch association {
    case .served: false
    case .unavailable: true
    case .absent: !servesFiles
    }
  }
}
