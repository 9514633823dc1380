internal import AppSiteAssociation
internal import Catalog
internal import Posix
internal import Rules
internal import Settings

/// Observes the names of one domain: reads its files, or only takes their identities.
///
/// Every path is resolved again from the domains folder, links included.
struct DomainObserver: Sendable {
  /// The domains folder.
  let root: String
  var wellKnown = WellKnownFiles()

  /// The largest `assetlinks.json` or other well-known file. Google publishes no limit, and real
  /// files are small.
  static let wellKnownBytes = 1 << 20

  /// The role of the file at a place.
  enum Role: Equatable {
    case association, assetLinks, cases, hosts
    /// The file of this number in `WellKnownFiles`.
    case other(Int)
  }

  /// The folder that a file is in.
  enum Folder {
    /// The domains folder.
    case domains
    /// The folder of the host, and its folder `.well-known`.
    case host, wellKnown

    /// The path from the folder of the host.
    var prefix: String { self == .wellKnown ? ".well-known/" : "" }
    /// The place of its policy file.
    var policy: DomainPlaces { self == .wellKnown ? .wellKnownPolicy : .policy }
  }

  struct Place {
    let folder: Folder
    /// The name, below `.well-known` with folders.
    let name: String
    let role: Role
    /// The bit of the place.
    let position: DomainPlaces
    /// Whether the file probably exists, so that it is opened at once. Otherwise its status is
    /// checked first, which is cheaper if it does not exist.
    var isProbable = false
  }

  /// The folder of a host, and how names in it are looked up.
  struct Host {
    /// Its path from the domains folder, with a slash at the end.
    let path: String
    /// What precedes names when they are looked up: empty if the folder itself is open.
    var prefix: String
  }

  /// The places of an entry in the domains folder itself.
  private func flatPlaces(of entry: DomainFolder.Entry) -> [Place] {
    let names: [(String?, Role)] = [
      (entry.file, .association), (entry.assetLinksFile, .assetLinks), (entry.casesFile, .cases),
      (entry.hostsFile, .hosts),
    ]
    let places = names.enumerated().compactMap { index, element -> Place? in
      guard let name = element.0 else { return nil }
      return Place(
        folder: .domains, name: name, role: element.1, position: DomainPlaces(position: index),
        isProbable: true)
    }
    guard let page = entry.pageFile else { return places }
    return places + [
      Place(
        folder: .domains, name: page, role: .other(wellKnown.page),
        position: DomainPlaces(wellKnown: wellKnown.page), isProbable: true)
    ]
  }

  /// The expectations of a flat file that had none when its names were looked up. Look again after
  /// reading the file: both may be new.
  private func latePlaces(of entry: DomainFolder.Entry) -> [Place] {
    guard entry.file != nil, entry.casesFile == nil else { return [] }
    return [
      Place(
        folder: .domains, name: DomainFolder.Part.cases.usualName(of: entry.name), role: .cases,
        position: DomainPlaces(position: 2))
    ]
  }

  /// The places of an entry in one of its own folders.
  private func places(of entry: DomainFolder.Entry, in folder: Folder) -> [Place] {
    let names: [(String, Role)] = [
      ("apple-app-site-association", .association), ("assetlinks.json", .assetLinks),
      ("apple-app-site-association.cases", .cases), (entry.name.entryName + ".cases", .cases),
    ]
    let first = folder == .wellKnown ? 4 : 8
    return names.enumerated().map { index, element in
      Place(
        folder: folder, name: element.0, role: element.1,
        position: DomainPlaces(position: first + index))
    }
  }

  /// The paths at which a file of this role may be. The first one that exists is served.
  func paths(of entry: DomainFolder.Entry, _ role: Role) -> [String] {
    let start = root.isEmpty ? "" : root + "/"
    let flat = flatPlaces(of: entry).filter { $0.role == role }.map { start + $0.name }
    guard let folder = entry.folder else { return flat }
    let own = places(of: entry, in: .wellKnown) + places(of: entry, in: .host)
    return flat
      + own.filter { $0.role == role }.map { "\(start)\(folder)/\($0.folder.prefix)\($0.name)" }
  }

  /// Reads all files of an entry. Never fails: errors are in the result.
  ///
  /// - Parameters:
  ///   - root: The domains folder.
  ///   - isSettled: Whether an event said that the writer of the files has finished.
  func observe(
    _ entry: DomainFolder.Entry, in root: borrowing Directory, isSettled: Bool = false
  ) -> DomainObservation {
    var observation = DomainObservation()
    var hasher = Hasher()
    for place in flatPlaces(of: entry) + latePlaces(of: entry) {
      observe(place, nil, in: root, isSettled: isSettled, &observation, &hasher)
    }
    if let folder = entry.folder {
      var host = Host(path: folder + "/", prefix: "")
      let before = (observation, hasher)
      do throws(SystemError) {
        let directory = try Directory(folder, in: root)
        let status = try directory.status()
        hasher.combine(status)
        observation.devices.host = UInt32(truncatingIfNeeded: status.device)
        observe(entry, host, in: directory, isSettled: isSettled, &observation, &hasher)
        // If the folder was closed during the reading, report that and not what lies in it.
        if observation.isFolderClosed { _ = try directory.status(".") }
      } catch {
        (observation, hasher) = before
        host.prefix = host.path
        _ = enter(folder, folder, in: root, &observation, &hasher)
        observe(entry, host, in: root, isSettled: isSettled, &observation, &hasher)
      }
    }
    observation.identity = hasher.finalize()
    return observation
  }

  /// Observes what is in the folder of a host.
  private func observe(
    _ entry: DomainFolder.Entry, _ host: Host, in directory: borrowing Directory, isSettled: Bool,
    _ observation: inout DomainObservation, _ hasher: inout Hasher
  ) {
    let policy = host.prefix + VerdictPolicy.fileName
    if directory.find(policy) != .nothing {
      observation.places.insert(.policy)
      Self.addIdentity(of: policy, in: directory, to: &hasher)
    }
    let wellKnown = host.prefix + ".well-known"
    let names = names(in: wellKnown, of: entry, host, directory, &observation, &hasher)
    let other = "\(wellKnown)/\(VerdictPolicy.fileName)"
    if names.mayContain(VerdictPolicy.fileName),
      names.areListed || directory.find(other) != .nothing
    {
      observation.places.insert(.wellKnownPolicy)
      Self.addIdentity(of: other, in: directory, to: &hasher)
    }
    for var place in places(of: entry, in: .wellKnown) {
      let mayExist = names.mayContain(place.name)
      // Expectations may have come after the listing, before the file that was read.
      guard mayExist || names.areListed && place.role == .cases else { continue }
      place.isProbable = mayExist && names.areListed
      observe(place, host, in: directory, isSettled: isSettled, &observation, &hasher)
    }
    for place in places(of: entry, in: .host) {
      observe(place, host, in: directory, isSettled: isSettled, &observation, &hasher)
    }
    let others = others(names, of: entry)
    if others.isEmpty { return }
    addFolders(of: others, in: wellKnown, directory, &observation, &hasher)
    for place in others {
      observe(place, host, in: directory, isSettled: isSettled, &observation, &hasher)
    }
  }

  private func observe(
    _ place: Place, _ host: Host?, in directory: borrowing Directory, isSettled: Bool,
    _ observation: inout DomainObservation, _ hasher: inout Hasher
  ) {
    let inner = place.folder.prefix + place.name
    let name = (host?.prefix ?? "") + inner
    let path = "\(root)/\(host?.path ?? "")\(inner)"
    let found =
      usualLink(place, host, path, in: directory, observation)
      ?? read(place, name, path, in: directory)
    switch found {
    case .absent: return
    case .unreadable:
      Self.addIdentity(of: name, in: directory, to: &hasher)
      if directory.find(name) == .unknown { observation.isFolderClosed = true }
    case .present(_, let content):
      hasher.combine(content.status)
      let now = Clock.wallNanoseconds()
      observation.doubtfulTime = max(
        observation.doubtfulTime, content.status.doubtfulTime(now: now))
      if content.hasChanged {
        observation.settlingTime = ObservationLimits.settlingTime
      } else if !isSettled {
        observation.settlingTime = max(
          observation.settlingTime,
          content.status.settlingTimeOfContent(now: now))
      }
    }
    observation.places.insert(place.position)
    switch place.role {
    case .association:
      if observation.association.isAbsent { observation.associationFolder = place.folder }
      observation.association = preferred(observation.association, found, &observation)
    case .assetLinks:
      if observation.assetLinks.isAbsent { observation.assetLinksFolder = place.folder }
      observation.assetLinks = preferred(observation.assetLinks, found, &observation)
    case .cases: observation.cases.append((path, found))
    case .hosts: observation.hosts = found
    case .other(let number): observation.others.append((number, found))
    }
  }

  /// The identity that `observe` would find now, without reading.
  ///
  /// - Parameter known: The places that held something at the last observation.
  func identity(
    of entry: DomainFolder.Entry, places known: DomainPlaces, in root: borrowing Directory
  ) -> Int {
    var hasher = Hasher()
    for place in flatPlaces(of: entry) where known.contains(place.position) {
      Self.addIdentity(of: place.name, in: root, to: &hasher)
    }
    guard let folder = entry.folder else { return hasher.finalize() }
    for (path, place) in [(folder, Folder.host), (folder + "/.well-known", .wellKnown)] {
      Self.addIdentity(of: path, in: root, to: &hasher)
      if known.contains(place.policy) {
        Self.addIdentity(of: "\(path)/\(VerdictPolicy.fileName)", in: root, to: &hasher)
      }
    }
    let others = folders(of: entry, known) + others(of: entry, known)
    for path in paths(of: entry, known, below: folder) + others {
      Self.addIdentity(of: path, in: root, to: &hasher)
    }
    return hasher.finalize()
  }

  /// The paths, from the domains folder, of what was in a host's folders when they were read.
  private func paths(
    of entry: DomainFolder.Entry, _ known: DomainPlaces, below folder: String
  ) -> [String] {
    (places(of: entry, in: .wellKnown) + places(of: entry, in: .host))
      .filter { known.contains($0.position) }
      .map { "\(folder)/\($0.folder.prefix)\($0.name)" }
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
      hasher.combine(try directory.status(path))
    } catch {
      hasher.combine(error.code)
    }
  }

  /// Observes a folder of an entry. Its identity shows that a name in it was added or removed.
  ///
  /// - Parameters:
  ///   - name: Its path as it is looked up.
  ///   - path: Its path from the domains folder.
  func enter(
    _ name: String, _ path: String, in directory: borrowing Directory,
    _ observation: inout DomainObservation, _ hasher: inout Hasher
  ) -> FileStatus? {
    do throws(SystemError) {
      let status = try directory.status(name)
      hasher.combine(status)
      return status
    } catch {
      hasher.combine(error.code)
      if error.isNotFound && directory.find(name) == .nothing { return nil }
      observation.isFolderClosed = true
      let failure = FileObservation.unreadable(path: root + "/" + path, error)
      if observation.association.isAbsent { observation.association = failure }
      if observation.assetLinks.isAbsent { observation.assetLinks = failure }
      return nil
    }
  }

  /// The directories, besides the domains folder, in which a change can concern the entry: its own
  /// directories, and the directories of link targets.
  ///
  /// - Parameter places: The places that held something at the last observation.
  func directories(
    of entry: DomainFolder.Entry, _ known: DomainPlaces
  ) -> [(path: String, isOwn: Bool)] {
    var result: [(path: String, isOwn: Bool)] = []
    if let folder = entry.folder {
      let wellKnown = "\(root)/\(folder)/.well-known"
      result.append(("\(root)/\(folder)", true))
      if (try? status(wellKnown))?.kind == .directory { result.append((wellKnown, true)) }
    }
    for folder in folders(of: entry, known) { result.append((root + "/" + folder, false)) }
    let flat = flatPlaces(of: entry).filter { known.contains($0.position) }.map(\.name)
    let own = entry.folder.map { paths(of: entry, known, below: $0) } ?? []
    for path in flat + own + others(of: entry, known) {
      guard let target = linkTargetFolder(root + "/" + path) else { continue }
      if !result.contains(where: { $0.path == target }) { result.append((target, false)) }
    }
    return result
  }

  /// The file of a host's folder if it is a link to the same name in `.well-known`, which was just
  /// read; nil if it is anything else.
  private func usualLink(
    _ place: Place, _ host: Host?, _ path: String, in directory: borrowing Directory,
    _ observation: DomainObservation
  ) -> FileObservation? {
    let known: FileObservation
    switch place.role {
    case .association: known = observation.association
    case .assetLinks: known = observation.assetLinks
    default: return nil
    }
    let inner = ".well-known/" + place.name
    guard case .host = place.folder, let host, case .present(let winner, let content) = known,
      winner == "\(root)/\(host.path)\(inner)",
      directory.find(host.prefix + place.name) == .link(inner)
    else { return nil }
    return .present(path: path, content)
  }

  private func read(
    _ place: Place, _ name: String, _ path: String, in directory: borrowing Directory
  ) -> FileObservation {
    if !place.isProbable && directory.find(name) == .nothing { return .absent }
    let limit =
      switch place.role {
      case .association: AppleLimits.fileBytes
      case .other(wellKnown.page): WellKnownFile.pageBytes
      case .assetLinks, .other: Self.wellKnownBytes
      case .cases: CaseLimits.fileBytes
      case .hosts: HostsFile.largestFile
      }
    do throws(SystemError) {
      return .present(path: path, try directory.readContent(name, limit: limit))
    } catch {
      guard error.isNotFound else { return .unreadable(path: path, error) }
      switch directory.find(name) {
      case .nothing: return .absent
      // Another file has taken the name since; if that file is gone too, it is missing.
      case .other:
        do throws(SystemError) {
          return .present(path: path, try directory.readContent(name, limit: limit))
        } catch {
          return error.isNotFound ? .absent : .unreadable(path: path, error)
        }
      case .link, .unknown: return .unreadable(path: path, error)
      }
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
