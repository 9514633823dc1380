/// What one look at all files of a domain gave.
struct DomainSight: Sendable {
  /// The file that counts at each of the known paths.
  var association = FileSight.absent
  var assetLinks = FileSight.absent
  /// Expectations of the association file, by their paths. Those that are missing are left out.
  var cases: [(path: String, sight: FileSight)] = []
  /// The other hosts that are served the same.
  var hosts = FileSight.absent
  /// Files that differ from the one that is served instead.
  var differing: [(path: String, winner: String)] = []
  /// A folder on the way cannot be entered, so nobody knows which files there are.
  var isFolderClosed = false
  /// Which of the places hold something; see `DomainPlaces`.
  var places = DomainPlaces()
  /// Stands for the identities of everything that was looked at.
  var identity = 0
  /// Milliseconds until all files have settled; 0 when they have.
  var unrest: Int64 = 0
}

/// The places in which a domain may have files, as bits.
struct DomainPlaces: OptionSet, Sendable {
  let rawValue: UInt16

  /// The place at a position in `DomainObserver.places(of:)`.
  init(position: Int) { rawValue = 1 << UInt16(position) }
  init(rawValue: UInt16) { self.rawValue = rawValue }
}
