internal import Diagnostics

/// What is known of one entry.
///
/// Small, for there may be a hundred thousand: names that follow from the host are not kept.
struct EntryState {
  var site: Site
  /// See `DomainReader.fingerprint(of:)`.
  var fingerprint: Int
  /// Stand for what was told of the entry, and of its association file by the rules; 0 for nothing.
  var toldHash = 0
  var toldRulesHash = 0
  /// Whether the rules are still to be asked for warnings.
  var owesWarnings = false
  private let parts: Parts
  /// The entry when its names are not the usual ones.
  private let unusual: Unusual?

  private struct Parts: OptionSet {
    let rawValue: UInt8
    static let file = Parts(rawValue: 1)
    static let folder = Parts(rawValue: 2)
    static let assetLinks = Parts(rawValue: 4)
  }

  private final class Unusual: Sendable {
    let entry: DomainFolder.Entry
    init(_ entry: DomainFolder.Entry) { self.entry = entry }
  }

  init(_ entry: DomainFolder.Entry, site: Site, fingerprint: Int) {
    self.site = site
    self.fingerprint = fingerprint
    var parts: Parts = []
    if entry.file != nil { parts.insert(.file) }
    if entry.folder != nil { parts.insert(.folder) }
    if entry.assetLinksFile != nil { parts.insert(.assetLinks) }
    self.parts = parts
    unusual = Self.usualEntry(entry.name, parts) == entry ? nil : Unusual(entry)
  }

  var entry: DomainFolder.Entry { unusual?.entry ?? Self.usualEntry(site.name, parts) }

  private static func usualEntry(_ name: DomainName, _ parts: Parts) -> DomainFolder.Entry {
    var entry = DomainFolder.Entry(name: name)
    guard case .host(let host) = name else { return entry }
    if parts.contains(.file) { entry.file = host + ".json" }
    if parts.contains(.folder) { entry.folder = host }
    if parts.contains(.assetLinks) { entry.assetLinksFile = host + ".assetlinks.json" }
    return entry
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
