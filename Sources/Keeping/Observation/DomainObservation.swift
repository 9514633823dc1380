/// One observation of all files of a domain.
struct DomainObservation: Sendable {
  /// The file that counts for each of the known paths.
  var association = FileObservation.absent
  /// Where the association file is.
  var associationFolder: DomainObserver.Folder?
  var assetLinks = FileObservation.absent
  /// Where the `assetlinks.json` is.
  var assetLinksFolder: DomainObserver.Folder?
  /// Expectations of the association file, by path. Missing ones are left out.
  var cases: [(path: String, observation: FileObservation)] = []
  /// Other well-known files, by their numbers in `WellKnownFiles`. Missing ones are left out.
  var others: [(number: Int, observation: FileObservation)] = []
  /// The list of other hosts that are served the same files.
  var hosts = FileObservation.absent
  /// Files that differ from the one that is served instead.
  var differing: [(path: String, winner: String)] = []
  /// The names in the folder `.well-known` that mean nothing.
  var unknownNames: [String] = []
  /// Whether a folder on the path cannot be searched, so that files may exist unseen.
  var isFolderClosed = false
  /// The file systems of the host's folder and of its folder `.well-known`.
  var devices = FolderDevices()
  /// The places that hold something; see `DomainPlaces`.
  var places = DomainPlaces()
  /// A hash of the identities of everything that was observed.
  var identity = 0
  /// Milliseconds until all files have settled; 0 if they have.
  var settlingTime: Int64 = 0
  /// Milliseconds until a further change of a file would show; 0 if it would show now.
  var doubtfulTime: Int64 = 0
}

/// The places where a domain may have files, as bits.
struct DomainPlaces: OptionSet, Sendable {
  let rawValue: UInt64

  /// The place at a position in the lists of `DomainObserver`.
  init(position: Int) { rawValue = 1 << UInt64(position) }
  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The place of the well-known file of this number.
  init(wellKnown number: Int) { self.init(position: 12 + number) }
  /// The folder of this number below `.well-known`.
  init(folder number: Int) { self.init(position: 42 + number) }

  /// The policy file `.aasa.json` in the folder of the host, and in its folder `.well-known`.
  static let policy = DomainPlaces(rawValue: 1 << 62)
  static let wellKnownPolicy = DomainPlaces(rawValue: 1 << 63)

  /// Whether there is one of the other well-known files, or a folder for them.
  var hasOthers: Bool { (rawValue << 2) >> 14 != 0 }
}

/// The file systems of a host's folders; 0 for a missing folder. Half of the number is enough to
/// see a change, and there may be many domains.
struct FolderDevices: Equatable, Sendable {
  var host: UInt32 = 0
  var wellKnown: UInt32 = 0

  /// The path, from the host's folder, of a folder that was mounted or unmounted, so that it is on
  /// another file system than before; nil if there is none.
  func mounted(since before: FolderDevices) -> String? {
    if Self.differ(host, before.host) { return "" }
    return Self.differ(wellKnown, before.wellKnown) ? "/.well-known" : nil
  }

  /// A folder that cannot be entered now is where it was.
  mutating func take(_ next: FolderDevices) {
    if next.host != 0 { host = next.host }
    if next.wellKnown != 0 { wellKnown = next.wellKnown }
  }

  private static func differ(_ one: UInt32, _ other: UInt32) -> Bool {
    one != 0 && other != 0 && one != other
  }
}
