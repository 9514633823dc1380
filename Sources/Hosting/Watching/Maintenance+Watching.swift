internal import Diagnostics
internal import Posix

/// Putting under watch what was read, and finding what changed where nobody tells.
extension Maintenance {
  mutating func watchEverything() {
    watchDomains()
    watchCertificates()
    if let reason = registry.pollingReason, options.watch != .poll {
      report(
        Report(diagnostics: [
          Diagnostic(
            .warning, code: "H011", "changes are found by reading again and again: \(reason)",
            note: "they are served within a second or two all the same")
        ]))
    }
  }

  mutating func watchDomains() {
    let isUnseen = registry.watchFolder(domains.root, as: .domains)
    for index in 0..<domains.count { watch(domains.entry(at: index)) }
    if isUnseen {
      // Names, where that will do: whoever writes one of the others is not disturbed.
      let names = domains.changedNames()
      for name in names ?? [] { noteUnseen(WatchKey(folder: .domains, name: name)) }
      if names == nil { noteUnseen(.all(.domains)) }
    }
    for entry in domains.staleEntries() { noteUnseen(entry) }
  }

  /// A name that came, or became another thing, brings directories and links of its own.
  mutating func watchDomain(_ name: String) {
    guard let entry = domains.entry(of: name) else { return }
    watch(entry)
    if domains.isStale(entry) { noteUnseen(entry) }
  }

  /// It changed after it was read and before it was watched.
  private mutating func noteUnseen(_ entry: DomainFolder.Entry) {
    for key in keys(of: entry) { noteUnseen(key) }
  }

  private func keys(of entry: DomainFolder.Entry) -> [WatchKey] {
    entry.names.map { WatchKey(folder: .domains, name: $0) }
  }

  private mutating func noteUnseen(_ key: WatchKey) {
    // As a removal: long enough for who is writing to be seen writing.
    pending.note(key, .removed, isComplete: true, now: Clock.monotonicMilliseconds())
  }

  private mutating func watch(_ entry: DomainFolder.Entry) {
    if !domains.leadsOutside(entry) {
      // What happens to its files in the domains folder is told by that.
      if let name = entry.folder { registry.watchEntry(WatchKey(folder: .domains, name: name)) }
      return
    }
    let root = domains.root
    for name in [entry.file, entry.assetLinksFile].compactMap(\.self) {
      registry.watch(
        WatchKey(folder: .domains, name: name), directories: [], files: ["\(root)/\(name)"],
        below: root)
    }
    if let folder = entry.folder {
      registry.watch(
        WatchKey(folder: .domains, name: folder),
        directories: ["\(root)/\(folder)", "\(root)/\(folder)/.well-known"],
        files: domains.paths(of: entry.name), below: root)
    }
  }

  mutating func watchCertificates() {
    guard let certificates else { return }
    registry.watchFolder(certificates.root, as: .certificates)
    for (name, directories, files) in certificates.watchedPaths {
      registry.watch(
        WatchKey(folder: .certificates, name: name), directories: directories, files: files,
        below: certificates.root)
    }
    // What changed after it was read and before it was watched. Once: now all is watched.
    isRecheckingCertificates = !isRecheckingCertificates && certificates.isStale()
    if isRecheckingCertificates { noteUnseen(.all(.certificates)) }
  }

  mutating func pollIfTime() -> Set<WatchKey> {
    if registry.polled.isEmpty { return [] }
    let now = Clock.monotonicMilliseconds()
    guard now >= polling.nextRound else { return [] }
    var observations: [WatchKey: Int] = [:]
    var stale: Set<WatchKey> = []
    let domainKeys = registry.polled.filter { $0.folder == .domains }
    if !domainKeys.isEmpty {
      let names = Set(domainKeys.compactMap(\.name))
      domains.observe(names.count < domainKeys.count ? nil : names, into: &observations)
      stale.formUnion(domains.staleEntries().flatMap { keys(of: $0) })
    }
    if domainKeys.count < registry.polled.count, let certificates {
      observations[.all(.certificates)] = certificates.contentHash()
    }
    let changed = polling.takeChanged(observations, stale: stale)
    polling.endRound(began: now, ended: Clock.monotonicMilliseconds())
    return changed
  }
}
