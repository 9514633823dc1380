internal import Catalog
internal import Checking
internal import Keeping
internal import Reporting
internal import Settings

/// Chooses the next host or entry to check. Alternates between listed hosts and entries, so that
/// neither kind waits forever.
struct WatchTurns {
  private var queue = WatchQueue()
  private var listed = ListedTurn()
  private var wasListed = false

  /// - Parameters:
  ///   - now: The time in milliseconds of the monotonic clock. `interval` is in milliseconds too.
  ///   - isDue: Whether the time to check the next entry of the round has come. If not, returns an
  ///     entry only if the entry has changed.
  mutating func next(
    _ status: HostingStatus, _ checks: OutsideChecks, now: Int64, isDue: Bool, interval: Int64
  ) -> WatchTurn {
    if !status.isLoaded { return .nothing }
    let catalog = status.catalog
    queue.enqueueChanges(catalog, checks)
    let isTurnOfEntries = isDue || queue.hasChanges
    if !wasListed || !isTurnOfEntries,
      let subject = listed.next(catalog, now: now, interval: interval)
    {
      wasListed = true
      return .betweenRounds(WatchedDomain(subject, checks))
    }
    wasListed = false
    if isTurnOfEntries, let subject = queue.next(catalog, checks, onlyChanges: !isDue) {
      return .inRound(WatchedDomain(subject, checks))
    }
    if !isDue { return .nothing }
    checks.keep(catalog)
    return .endOfRound
  }
}

/// Chooses the next entry to check: first the entries that have changed since their last check,
/// then all entries in the order of the catalog.
struct WatchQueue {
  private var position = 0
  private var changed: [DomainName] = []
  /// The catalog in which `enqueueChanges` last searched for changes.
  private var searched: Catalog?

  var hasChanges: Bool { !changed.isEmpty }

  /// Queues the entries whose files have changed since their last check. Does nothing if this
  /// catalog has already been searched.
  mutating func enqueueChanges(_ catalog: Catalog, _ checks: OutsideChecks) {
    if searched === catalog { return }
    searched = catalog
    changed = checks.outdated(catalog.sites)
  }

  /// Returns the next entry to check. Returns nil at the end of a round, which is one check of all
  /// entries. Also returns nil if `onlyChanges` is true and no entry has changed.
  mutating func next(
    _ catalog: Catalog, _ checks: OutsideChecks, onlyChanges: Bool
  ) -> WatchSubject? {
    while let name = changed.popLast() {
      if let index = catalog.index(of: name), checks[catalog.sites[index]] == nil,
        let subject = WatchSubject(name, catalog.sites[index], in: catalog)
      {
        return subject
      }
    }
    if onlyChanges { return nil }
    let sites = catalog.sites
    while position < sites.count {
      let site = sites[position]
      position += 1
      if let subject = WatchSubject(site.name, site, in: catalog) { return subject }
    }
    position = 0
    return nil
  }
}

/// Chooses the next host to check from the lists of hosts. At most 3,000 hosts are checked per
/// hour.
struct ListedTurn {
  /// The next host that may be due: the index of the host's list, and the index of the host in this
  /// list.
  private var position = (list: 0, host: 0)
  /// The earliest time of the next check, and the earliest start of the next round of checks, in
  /// milliseconds of the monotonic clock.
  private var next: Int64 = 0
  private var nextRound: Int64 = 0

  /// Returns the next host to check; nil if no host is due.
  mutating func next(_ catalog: Catalog, now: Int64, interval: Int64) -> WatchSubject? {
    if catalog.lists.isEmpty || now < next { return nil }
    if position == (0, 0) {
      if now < nextRound { return nil }
      nextRound = now + interval
    }
    while position.list < catalog.lists.count {
      let list = catalog.lists[position.list]
      guard position.host < list.count else {
        position = (position.list + 1, 0)
        continue
      }
      let name = list[position.host]
      position.host += 1
      // Skip a host that has its own entry, because `WatchQueue` checks entries.
      guard let site = catalog.namedSite(name), site.name != name,
        let subject = WatchSubject(name, site, in: catalog)
      else { continue }
      // If this check is slightly late, shorten the pause before the next check, so that the rate
      // stays the same.
      next = max(next, now - OutsideChecks.pauseBetweenListed) + OutsideChecks.pauseBetweenListed
      return subject
    }
    position = (0, 0)
    return nil
  }
}

/// A name whose file is checked from outside.
struct WatchSubject {
  let name: DomainName
  let site: Site
  /// The host from which Apple fetches the file.
  let host: String

  /// Nil if the entry has no association file, or if another entry's file is served instead. Also
  /// nil for `_default`, for a name without a dot, and for a wildcard whose root domain another
  /// entry serves.
  init?(_ name: DomainName, _ site: Site, in catalog: Catalog) {
    if case .absent = site.association { return nil }
    // Do not check an entry if another entry's file is served instead.
    if catalog.standIn(for: name) != nil { return nil }
    switch name {
    case .host(let host): self.host = host
    // Apple fetches the file of a wildcard from the wildcard's root domain.
    case .wildcard(let parent):
      guard catalog.site(for: parent) === site else { return nil }
      host = parent
    case .any: return nil
    }
    if !name.isDotted { return nil }
    self.name = name
    self.site = site
  }
}
