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
  /// The places that hold something; see `DomainPlaces`.
  var places = DomainPlaces()
  /// A hash of the identities of everything that was observed.
  var identity = 0
  /// Milliseconds until all files have settled; 0 if they have.
  var settlingTime: Int64 = 0
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
  init(folder number: Int) { self.init(position: 41 + number) }

  /// The policy file `.aasa.json` in the folder of the host, and in its folder `.well-known`.
  static let policy = DomainPlaces(rawValue: 1 << 62)
  static let wellKnownPolicy = DomainPlaces(rawValue: 1 << 63)

  /// Whether there is one of the other well-known files, or a folder for them.
  var hasOthers: Bool { (rawValue << 2) >> 14 != 0 }
}
