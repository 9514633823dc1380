internal import AppSiteAssociation
internal import Posix

/// Looks at the names of one domain: reads its files, or only takes their identities.
///
/// Every path is walked afresh from the domains folder, links included.
struct DomainObserver: Sendable {
  /// The domains folder.
  let root: String

  /// The largest `assetlinks.json`; Google publishes no limit, and real ones are small.
  static let assetLinksBytes = 1 << 20

  /// What a file at a place is.
  private enum Role { case association, assetLinks, cases, hosts }

  private struct Place {
    /// Relative to the domains folder.
    let path: String
    let role: Role
    /// It probably exists: it is opened at once. Otherwise it is asked for first, which is cheaper
    /// when it does not.
    let isProbable: Bool
  }

  /// The places of an entry, of each role the one that wins first.
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

  /// Reads all files of an entry. Never fails: what went wrong is in the result.
  ///
  /// - Parameters:
  ///   - directory: the domains folder.
  ///   - isSettled: an event said that whoever wrote the files has finished.
  func look(
    at entry: DomainFolder.Entry, in directory: borrowing Directory, isSettled: Bool = false
  ) -> DomainSight {
    var sight = DomainSight()
    var hasher = Hasher()
    let hasWellKnown = enter(entry, in: directory, &sight, &hasher)
    for (position, place) in places(of: entry, hasWellKnown: hasWellKnown).enumerated() {
      let found = read(place, in: directory)
      switch found {
      case .absent: continue
      case .unreadable:
        Self.addIdentity(of: place.path, in: directory, to: &hasher)
        if directory.find(place.path) == .unknown { sight.isFolderClosed = true }
      case .present(_, let content):
        let identity = FileIdentity(content.status)
        hasher.combine(identity)
        if content.hasChanged {
          sight.unrest = ObservationLimits.unrest
        } else if !isSettled {
          sight.unrest = max(sight.unrest, identity.unrest(now: Clock.wallNanoseconds()))
        }
      }
      sight.places.insert(DomainPlaces(position: position))
      switch place.role {
      case .association: sight.association = preferred(sight.association, found, &sight)
      case .assetLinks: sight.assetLinks = preferred(sight.assetLinks, found, &sight)
      case .cases: sight.cases.append((root + "/" + place.path, found))
      case .hosts: sight.hosts = found
      }
    }
    sight.identity = hasher.finalize()
    return sight
  }

  /// The identity that `look` would find now, without reading.
  ///
  /// - Parameter places: those that held something when they were looked at.
  func identity(
    of entry: DomainFolder.Entry, places known: DomainPlaces, in directory: borrowing Directory
  ) -> Int {
    var sight = DomainSight()
    var hasher = Hasher()
    let hasWellKnown = enter(entry, in: directory, &sight, &hasher)
    for (position, place) in places(of: entry, hasWellKnown: hasWellKnown).enumerated()
    where known.contains(DomainPlaces(position: position)) {
      Self.addIdentity(of: place.path, in: directory, to: &hasher)
    }
    return hasher.finalize()
  }

  private static func addIdentity(
    of path: String, in directory: borrowing Directory, to hasher: inout Hasher
  ) {
    do throws(SystemError) {
      hasher.combine(FileIdentity(try directory.status(path)))
    } catch {
      hasher.combine(error.code)
    }
  }

  /// Looks at the two folders of an entry. Their identities show that a name came or went in them.
  ///
  /// Returns whether there is a folder `.well-known`.
  private func enter(
    _ entry: DomainFolder.Entry, in directory: borrowing Directory, _ sight: inout DomainSight,
    _ hasher: inout Hasher
  ) -> Bool {
    guard let folder = entry.folder else { return false }
    var hasWellKnown = false
    for path in [folder, folder + "/.well-known"] {
      do throws(SystemError) {
        let status = try directory.status(path)
        hasher.combine(FileIdentity(status))
        hasWellKnown = path != folder && status.kind == .directory
      } catch {
        hasher.combine(error.code)
        if error.isNotFound && directory.find(path) == .nothing { continue }
        sight.isFolderClosed = true
        let failure = FileSight.unreadable(path: root + "/" + path, error)
        if sight.association.isAbsent { sight.association = failure }
        if sight.assetLinks.isAbsent { sight.assetLinks = failure }
      }
    }
    return hasWellKnown
  }

  /// The directories in which something that is read of an entry can change, besides the domains
  /// folder: the entry's own, and those in which the targets of links lie.
  ///
  /// - Parameter places: those that held something when they were looked at.
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
    for (position, place) in places(of: entry, hasWellKnown: hasWellKnown).enumerated()
    where known.contains(DomainPlaces(position: position)) {
      guard let target = linkTargetFolder(root + "/" + place.path) else { continue }
      if !result.contains(where: { $0.path == target }) { result.append((target, false)) }
    }
    return result
  }

  private func read(_ place: Place, in directory: borrowing Directory) -> FileSight {
    if !place.isProbable && directory.find(place.path) == .nothing { return .absent }
    let limit =
      switch place.role {
      case .association: AppleLimits.fileBytes
      case .assetLinks: Self.assetLinksBytes
      case .cases: CaseLimits.fileBytes
      case .hosts: HostsFile.largestFile
      }
    do throws(SystemError) {
      return .present(
        path: root + "/" + place.path, try directory.readContent(place.path, limit: limit))
    } catch {
      // A link that leads nowhere now may be about to be replaced.
      if error.isNotFound && directory.find(place.path) == .nothing { return .absent }
      return .unreadable(path: root + "/" + place.path, error)
    }
  }

  /// Of two files for one path the first one counts.
  private func preferred(
    _ first: FileSight, _ found: FileSight, _ sight: inout DomainSight
  ) -> FileSight {
    switch (first, found) {
    case (.absent, _): return found
    case (.present(let winner, let content), .present(let path, let other)):
      if content.bytes != other.bytes { sight.differing.append((path, winner)) }
      return first
    default: return first
    }
  }
}
