/// What is known of one entry.
struct EntryState {
  var site: Site
  /// See `DomainReader.fingerprint(of:)`.
  var fingerprint: Int
  /// Stand for what was told of the entry, and of its association file by the rules; 0 for nothing.
  var toldHash = 0
  var toldRulesHash = 0
  /// Whether the rules are still to be asked for warnings.
  var owesWarnings = false
  /// Whether there is more to watch than the entry's own folders.
  var leadsOutside = true
  let entry: DomainFolder.Entry

  init(_ entry: DomainFolder.Entry, site: Site, fingerprint: Int) {
    self.entry = entry
    self.site = site
    self.fingerprint = fingerprint
  }
}

/// The states of all entries: a list, and where in it each name is.
struct EntryStates {
  private(set) var all: [EntryState] = []
  private var indexes: [DomainName: Int32] = [:]

  var count: Int { all.count }

  mutating func reserveCapacity(_ count: Int) {
    all.reserveCapacity(count)
    indexes.reserveCapacity(count)
  }

  subscript(name: DomainName) -> EntryState? {
    get { indexes[name].map { all[Int($0)] } }
    set {
      guard let newValue else { return remove(name) }
      if let index = indexes[name] {
        all[Int(index)] = newValue
      } else {
        indexes[name] = Int32(all.count)
        all.append(newValue)
      }
    }
  }

  private mutating func remove(_ name: DomainName) {
    guard let index = indexes.removeValue(forKey: name), let last = all.popLast() else { return }
    // The last one takes the place that is free now.
    if Int(index) < all.count {
      all[Int(index)] = last
      indexes[last.site.name] = index
    }
  }
}
