internal import AppSiteAssociation
internal import Posix

/// Observes the names of one domain: reads its files, or only takes their identities.
///
/// Every path is resolved again from the domains folder, links included.
struct DomainObserver: Sendable {
  /// The domains folder.
  let root: String
  var wellKnown = WellKnownFiles()

  /// The largest `assetlinks.json` or other well-known file. Google publishes no limit, and real
  /// ones are small.
  static let wellKnownBytes = 1 << 20

  /// The role of the file at a place.
  enum Role {
    case association, assetLinks, cases, hosts
    /// The file of this number in `WellKnownFiles`.
    case other(Int)
  }

  struct Place {
    /// Relative to the domains folder.
    let path: String
    let role: Role
    /// Whether the file probably exists, so that it is opened at once. Otherwise its status is
    /// checked first, which is cheaper if it does not exist.
    let isProbable: Bool
  }

  /// The places of an entry; for each role, the one that wins is first.
  private func places(of entry: DomainFolder.Entry, hasWellKnown: Bool) -> [Place] {
    var places: [Place] = []
    func add(_ path: String?, _ role: Role, isProbable: Bool = false) {
      guard let path else { return }
      places.append(Place(path: path, role: role, isProbable: isProbable))
    }
    add(entry.file, .association, isProbable: true)
    add(entry.assetLinksFile, .assetLinks, isProbable: true)
    add(entry.casesFile, .cases, isProbable: true)
    add(entry.hostsFile, .hosts, isProbable: true)
    guard let folder = entry.folder else { return places }
    let cases = entry.name.entryName + ".cases"
    for (inner, exists) in [(folder + "/.well-known/", hasWellKnown), (folder + "/", true)]
    where exists {
      add(inner + "apple-app-site-association", .association, isProbable: inner != folder + "/")
      add(inner + "assetlinks.json", .assetLinks)
      add(inner + "apple-app-site-association.cases", .cases)
      add(inner + cases, .cases)
    }
    return places
  }

  /// Reads all files of an entry. Never fails: errors are in the result.
  ///
  /// - Parameters:
  ///   - directory: The domains folder.
  ///   - isSettled: Whether an event said that the writer of the files has finished.
  func observe(
    _ entry: DomainFolder.Entry, in directory: borrowing Directory, isSettled: Bool = false
  ) -> DomainObservation {
    var observation = DomainObservation()
    var hasher = Hasher()
    let hasWellKnown = enter(entry, in: directory, &observation, &hasher)
    for (position, place) in places(of: entry, hasWellKnown: hasWellKnown).enumerated() {
      observe(
        place, DomainPlaces(position: position), in: directory, isSettled: isSettled, &observation,
        &hasher)
    }
    if hasWellKnown {
      for (place, position) in others(of: entry, in: directory, &observation, &hasher) {
        observe(place, position, in: directory, isSettled: isSettled, &observation, &hasher)
      }
    }
    observation.identity = hasher.finalize()
    return observation
  }

  private func observe(
    _ place: Place, _ position: DomainPlaces, in directory: borrowing Directory, isSettled: Bool,
    _ observation: inout DomainObservation, _ hasher: inout Hasher
  ) {
    let found = read(place, in: directory)
    switch found {
    case .absent: return
    case .unreadable:
      Self.addIdentity(of: place.path, in: directory, to: &hasher)
      if directory.find(place.path) == .unknown { observation.isFolderClosed = true }
    case .present(_, let content):
      let identity = FileIdentity(content.status)
      hasher.combine(identity)
      if content.hasChanged {
        observation.settlingTime = ObservationLimits.settlingTime
      } else if !isSettled {
        observation.settlingTime = max(
          observation.settlingTime, identity.settlingTimeOfContent(now: Clock.wallNanoseconds()))
      }
    }
    observation.places.insert(position)
    switch place.role {
    case .association:
      observation.association = preferred(observation.association, found, &observation)
    case .assetLinks:
      observation.assetLinks = preferred(observation.assetLinks, found, &observation)
    case .cases: observation.cases.append((root + "/" + place.path, found))
    case .hosts: observation.hosts = found
    case .other(let number): observation.others.append((number, found))
    }
  }

  /// The identity that `observe` would find now, without reading.
  ///
  /// - Parameter places: The places that held something at the last observation.
  func identity(
    of entry: DomainFolder.Entry, places known: DomainPlaces, in directory: borrowing Directory
  ) -> Int {
    var observation = DomainObservation()
    var hasher = Hasher()
    let hasWellKnown = enter(entry, in: directory, &observation, &hasher)
    for (position, place) in places(of: entry, hasWellKnown: hasWellKnown).enumerated()
    where known.contains(DomainPlaces(position: position)) {
      Self.addIdentity(of: place.path, in: directory, to: &hasher)
    }
    if hasWellKnown { addIdentities(ofOthers: known, of: entry, in: directory, to: &hasher) }
    return hasher.finalize()
  }

  /// The identity of the file `.aasa.json` in the domains folder, which changes when it is
  /// replaced.
  static func policyIdentity(in directory: borrowing Directory) -> Int {
    var hasher = Hasher()
    addIdentity(of: VerdictPolicy.fileName, in: directory, to: &hasher)
    return hasher.finalize()
  }

  static func addIdentity(
    of path: String, in directory: borrowing Directory, to hasher: inout Hasher
  ) {
    do throws(SystemError) {
      hasher.combine(FileIdentity(try directory.status(path)))
    } catch {
      hasher.combine(error.code)
    }
  }

  /// Observes the two folders of an entry. Their identities show that a name in them was added or
  /// removed.
  ///
  /// Returns whether there is a folder `.well-known`.
  private func enter(
    _ entry: DomainFolder.Entry, in directory: borrowing Directory,
    _ observation: inout DomainObservation,
    _ hasher: inout Hasher
  ) -> Bool {
    guard let folder = entry.folder else { return false }
    var hasWellKnown = false
    for path in [folder, folder + "/.well-known"] {
      do throws(SystemError) {
        let status = try directory.status(path)
        hasher.combine(FileIdentity(status))
        hasWellKnown = path != folder && status.kind == .directory
        Self.addIdentity(of: "\(path)/\(VerdictPolicy.fileName)", in: directory, to: &hasher)
      } catch {
        hasher.combine(error.code)
        if error.isNotFound && directory.find(path) == .nothing { continue }
        observation.isFolderClosed = true
        let failure = FileObservation.unreadable(path: root + "/" + path, error)
        if observation.association.isAbsent { observation.association = failure }
        if observation.assetLinks.isAbsent { observation.assetLinks = failure }
      }
    }
    return hasWellKnown
  }

  /// The directories in which a change can concern the entry, besides the domains folder: the
  /// entry's own, and those with the targets of links.
  ///
  /// - Parameter places: The places that held something at the last observation.
  func directories(
    of entry: DomainFolder.Entry, _ known: DomainPlaces
  ) -> [(path: String, isOwn: Bool)] {
    var result: [(path: String, isOwn: Bool)] = []
    var hasWellKnown = false
    if let folder = entry.folder {
      let wellKnown = "\(root)/\(folder)/.well-known"
      result.append(("\(root)/\(folder)", true))
      hasWellKnown = (try? status(wellKnown))?.kind == .directory
      if hasWellKnown { result.append((wellKnown, true)) }
    }
    for folder in folders(of: entry, known) { result.append((root + "/" + folder, false)) }
    let paths =
      places(of: entry, hasWellKnown: hasWellKnown).enumerated()
      .filter { known.contains(DomainPlaces(position: $0.offset)) }.map(\.element.path)
    for path in paths + others(of: entry, known) {
      guard let target = linkTargetFolder(root + "/" + path) else { continue }
      if !result.contains(where: { $0.path == target }) { result.append((target, false)) }
    }
    return result
  }

  private func read(_ place: Place, in directory: borrowing Directory) -> FileObservation {
    if !place.isProbable && directory.find(place.path) == .nothing { return .absent }
    let limit =
      switch place.role {
      case .association: AppleLimits.fileBytes
      case .assetLinks, .other: Self.wellKnownBytes
      case .cases: CaseLimits.fileBytes
      case .hosts: HostsFile.largestFile
      }
    do throws(SystemError) {
      return .present(
        path: root + "/" + place.path, try directory.readContent(place.path, limit: limit))
    } catch {
      // A broken link may be about to be replaced.
      if error.isNotFound && directory.find(place.path) == .nothing { return .absent }
      return .unreadable(path: root + "/" + place.path, error)
    }
  }

  /// If there are two files for one path, the first one counts.
  private func preferred(
    _ first: FileObservation, _ found: FileObservation, _ observation: inout DomainObservation
  ) -> FileObservation {
    switch (first, found) {
    case (.absent, _): return found
    case (.present(let winner, let content), .present(let path, let other)):
      if content.bytes != other.bytes { observation.differing.append((path, winner)) }
      return first
    default: return first
    }
  }
}
