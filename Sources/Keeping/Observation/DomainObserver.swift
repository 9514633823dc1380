internal import AppSiteAssociation
internal import Posix
internal import Rules
internal import Settings

/// Observes the files of one domain: either reads the files, or only computes their identity. The
/// identity is a hash, which changes if a file changes.
///
/// Every look-up starts at the domains folder and follows all links again.
struct DomainObserver: Sendable {
  /// The path of the domains folder.
  let root: String
  var wellKnown = WellKnownFiles()

  /// The size limit of `assetlinks.json` and of other well-known files. Google publishes no limit,
  /// but real files are small.
  static let wellKnownBytes = 1 << 20

  /// The folder of a host, and how names in this folder are looked up.
  struct Host {
    /// The path of the host's folder, relative to the domains folder, with a slash at the end.
    let path: String
    /// The prefix of a name to look up: empty if the folder itself is open, otherwise `path`.
    var prefix: String
  }

  /// Reads all files of an entry. The result includes all errors.
  ///
  /// - Parameters:
  ///   - root: The domains folder.
  ///   - isSettled: Whether the files are completely written according to an event, or have been
  ///     changing for too long.
  func observe(
    _ entry: DomainFolder.Entry, in root: borrowing Directory, isSettled: Bool = false
  ) -> DomainObservation {
    var observation = DomainObservation()
    let flat = flatPlaces(of: entry)
    for place in flat where place.role != .cases {
      observe(place, nil, in: root, isSettled: isSettled, &observation)
    }
    if let folder = entry.folder {
      var host = Host(path: folder + "/", prefix: "")
      let before = observation
      do throws(SystemError) {
        let directory = try Directory(folder, in: root)
        let status = try directory.status()
        observation.hasher.combine(status)
        observe(entry, host, in: directory, isSettled: isSettled, &observation)
        // If the folder became inaccessible during the read, report the folder, not its content.
        if observation.facts.isFolderClosed { _ = try directory.status(".") }
      } catch {
        observation = before
        host.prefix = host.path
        _ = enter(folder, folder, in: root, &observation)
        observe(entry, host, in: root, isSettled: isSettled, &observation)
      }
    }
    // Look for expectations even if the listing contained none. A user may have added them since
    // the listing, together with the file that must meet them.
    let cases =
      flat.first { $0.role == .cases }
      ?? Place(
        folder: .domains, name: DomainFolder.Part.cases.usualName(of: entry.name), role: .cases,
        position: FileLocations(flat: .cases))
    observe(cases, nil, in: root, isSettled: isSettled, &observation)
    observation.facts.identity = observation.hasher.finalize()
    return observation
  }

  /// Observes the files in the folder of a host.
  private func observe(
    _ entry: DomainFolder.Entry, _ host: Host, in directory: borrowing Directory, isSettled: Bool,
    _ observation: inout DomainObservation
  ) {
    let policy = host.prefix + VerdictPolicy.fileName
    if directory.find(policy) != .nothing {
      observation.facts.places.insert(.policy)
      observation.hasher.addIdentity(of: policy, in: directory)
    }
    let wellKnown = host.prefix + ".well-known"
    let names = names(in: wellKnown, of: entry, host, directory, &observation)
    let other = "\(wellKnown)/\(VerdictPolicy.fileName)"
    if names.mayContain(VerdictPolicy.fileName),
      names.areListed || directory.find(other) != .nothing
    {
      observation.facts.places.insert(.wellKnownPolicy)
      observation.hasher.addIdentity(of: other, in: directory)
    }
    addFolders(names, in: wellKnown, directory, &observation)
    let places = ownPlaces(of: entry, numbers(names), areListed: names.areListed)
    for place in places where place.folder == .host || names.maySearch {
      observe(place, host, in: directory, isSettled: isSettled, &observation)
    }
  }

  private func observe(
    _ place: Place, _ host: Host?, in directory: borrowing Directory, isSettled: Bool,
    _ observation: inout DomainObservation
  ) {
    let inner = place.folder.prefix + place.name
    let name = (host?.prefix ?? "") + inner
    // Most hosts lack most of these files, so look up the name before opening the file.
    if !place.isProbable && directory.find(name) == .nothing { return }
    let path = "\(root)/\(host?.path ?? "")\(inner)"
    let link = host.flatMap { usualLink(place, $0, path, in: directory, observation) }
    var found = link ?? read(place, name, path, in: directory)
    switch found {
    case .absent: return
    case .unreadable:
      observation.hasher.addIdentity(of: name, in: directory)
      if directory.find(name) == .unknown { observation.facts.isFolderClosed = true }
    case .present(_, let content):
      observation.hasher.combine(content.status)
      observation.facts.noteSettlingTime(of: content, isSettled: isSettled)
      // The file was truncated during the read. Use no part of it, and read it again soon.
      if content.isCut { found = .unreadable(path: path, .cut(path)) }
    }
    observation.facts.places.insert(place.position)
    switch place.role {
    case .file(let number):
      if observation.files[number] == nil { observation.folders[number] = place.folder }
      observation.files[number] = preferred(observation.files[number], found, &observation)
    case .cases: observation.cases.append((path, found))
    case .hosts: observation.hosts = found
    }
  }

  /// Returns the identity that `observe` would return now, without reading the files.
  ///
  /// - Parameter known: The places where a file or folder existed at the last observation.
  func identity(
    of entry: DomainFolder.Entry, places known: FileLocations, in root: borrowing Directory
  ) -> Int {
    var hasher = Hasher()
    let flat = flatPlaces(of: entry).filter { known.contains($0.position) }
    for place in flat where place.role != .cases {
      hasher.addIdentity(of: place.name, in: root)
    }
    if let folder = entry.folder {
      for (path, place) in [(folder, Folder.host), (folder + "/.well-known", .wellKnown)] {
        hasher.addIdentity(of: path, in: root)
        if known.contains(place.policy) {
          hasher.addIdentity(of: "\(path)/\(VerdictPolicy.fileName)", in: root)
        }
      }
      for path in folders(below: folder, known) + ownPaths(of: entry, known, below: folder) {
        hasher.addIdentity(of: path, in: root)
      }
    }
    for place in flat where place.role == .cases {
      hasher.addIdentity(of: place.name, in: root)
    }
    return hasher.finalize()
  }

  /// Returns the paths of the files that were last found in a host's folders, relative to the
  /// domains folder.
  private func ownPaths(
    of entry: DomainFolder.Entry, _ known: FileLocations, below folder: String
  ) -> [String] {
    let numbers = known.hasOthers ? wellKnown.files.indices : 0..<WellKnownFiles.assetLinks + 1
    return ownPlaces(of: entry, numbers).filter { known.contains($0.position) }
      .map { "\(folder)/\($0.folder.prefix)\($0.name)" }
  }

  /// Returns the identity of the file `.aasa.json` in the domains folder. The identity changes if
  /// the file changes.
  static func policyIdentity(in directory: borrowing Directory) -> Int {
    var hasher = Hasher()
    hasher.addIdentity(of: VerdictPolicy.fileName, in: directory)
    return hasher.finalize()
  }

  /// Adds the status of an entry's folder to the observation. The status changes if a name is added
  /// to the folder or removed from it. Returns the status, or nil if the status cannot be
  /// determined.
  ///
  /// - Parameters:
  ///   - name: The path to look up.
  ///   - path: The path of the folder relative to the domains folder.
  func enter(
    _ name: String, _ path: String, in directory: borrowing Directory,
    _ observation: inout DomainObservation
  ) -> FileStatus? {
    do throws(SystemError) {
      let status = try directory.status(name)
      observation.hasher.combine(status)
      return status
    } catch {
      observation.hasher.combine(error.code)
      if error.isNotFound && directory.find(name) == .nothing { return nil }
      observation.facts.isFolderClosed = true
      for number in [WellKnownFiles.association, WellKnownFiles.assetLinks]
      where observation.files[number] == nil {
        observation.files[number] = .unreadable(path: root + "/" + path, error)
      }
      return nil
    }
  }

  /// Returns the directories to watch for the entry: its own directories, and the directories of
  /// link targets. Does not include the domains folder.
  ///
  /// - Parameter known: The places where a file or folder existed at the last observation.
  func directories(
    of entry: DomainFolder.Entry, _ known: FileLocations
  ) -> [(path: String, isOwn: Bool)] {
    var result: [(path: String, isOwn: Bool)] = []
    var paths = flatPlaces(of: entry).filter { known.contains($0.position) }.map(\.name)
    if let folder = entry.folder {
      result.append(("\(root)/\(folder)", true))
      let wellKnown = "\(folder)/.well-known"
      for (path, isOwn) in [(wellKnown, true)] + folders(below: folder, known).map({ ($0, false) })
      where (try? status("\(root)/\(path)"))?.kind == .directory {
        result.append(("\(root)/\(path)", isOwn))
      }
      paths += ownPaths(of: entry, known, below: folder)
    }
    for path in paths {
      guard let target = linkTargetFolder(root + "/" + path) else { continue }
      if !result.contains(where: { $0.path == target }) { result.append((target, false)) }
    }
    return result
  }

  /// The file in a host's folder can be a link to the file of the same name in `.well-known`. If
  /// the file is such a link, and its target was just read, returns the target without reading it
  /// again; otherwise returns nil.
  private func usualLink(
    _ place: Place, _ host: Host, _ path: String, in directory: borrowing Directory,
    _ observation: DomainObservation
  ) -> FileObservation? {
    let inner = ".well-known/" + place.name
    guard case .file(let number) = place.role, case .host = place.folder,
      case .present(let winner, var content)? = observation.files[number],
      winner == "\(root)/\(host.path)\(inner)",
      directory.find(host.prefix + place.name) == .link(inner)
    else { return nil }
    content.isLink = true
    return .present(path: path, content)
  }

  private func read(
    _ place: Place, _ name: String, _ path: String, in directory: borrowing Directory
  ) -> FileObservation {
    let limit = limit(of: place.role)
    do throws(SystemError) {
      return .present(path: path, try directory.readContent(name, limit: limit))
    } catch {
      guard error.isNotFound else { return .unreadable(path: path, error) }
      switch directory.find(name) {
      case .nothing: return .absent
      // Another program has just put a new file in this place. Read the new file. If the new file
      // has been removed too, the name is missing.
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

  /// Returns the size limit of a file, in bytes.
  private func limit(of role: Role) -> Int {
    switch role {
    case .cases: CaseLimits.fileBytes
    case .hosts: HostsFile.largestFile
    case .file(let number):
      switch wellKnown.files[number].role {
      case .association: AppleLimits.fileBytes
      case .page: WellKnownFile.pageBytes
      case .assetLinks, .other: Self.wellKnownBytes
      }
    }
  }

  /// Two files can have the same role. Returns the first file. If the contents of the two files
  /// differ, adds the paths of both files to the observation.
  private func preferred(
    _ first: FileObservation?, _ found: FileObservation, _ observation: inout DomainObservation
  ) -> FileObservation {
    guard let first else { return found }
    if case .present(let winner, let content) = first, case .present(let path, let other) = found,
      content.bytes != other.bytes
    {
      observation.differing.append((path, winner))
    }
    return first
  }
}

extension Hasher {
  /// Adds the identity of a file or folder: its status, or the error of the look-up.
  mutating func addIdentity(of path: String, in directory: borrowing Directory) {
    do throws(SystemError) {
      combine(try directory.status(path))
    } catch {
      combine(error.code)
    }
  }
}

/// Returns the folder that contains the target of the symbolic link at `path`; nil if `path` is not
/// a link.
package func linkTargetFolder(_ path: String) -> String? {
  readLink(path).map { parentFolder(targetPath($0, ofLink: path)) }
}
