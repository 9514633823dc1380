internal import AppSiteAssociation
internal import Posix

/// Looks at every place at which an entry may have a file, with as few system calls as it takes:
/// most of the time of loading very many entries is the system's.
///
/// Places in a folder are looked up relative to it, a place that is probably empty is asked for with
/// one call, and a link to what was just read is not read again.
struct EntrySurvey {
  /// The file that counts at one of the known paths.
  struct Found {
    let path: String
    let isWellKnown: Bool
    var bytes: [UInt8] = []
    var isTruncated = false
    var status: FileStatus?
    /// The same version of the same file was read under another name.
    var known: ReadingMemory.Good?
    /// Why it cannot be read.
    var failure: SystemError?
  }

  /// Where a name is looked up.
  private enum Place {
    case domains
    /// The folder of this name.
    case folder(String)
    /// The folder `.well-known` in it.
    case wellKnown(String)
  }

  /// The domains folder.
  let root: String
  /// Whether contents are read; otherwise only the fingerprint is made.
  var isReading = true

  private(set) var association: Found?
  private(set) var assetLinks: Found?
  /// Expectations of the association file.
  private(set) var cases: [String] = []
  /// Files that differ from the one that is served instead.
  private(set) var differing: [(path: String, winner: String)] = []
  /// Whether any of the places is a link that leads out of the entry's own folders, or cannot be
  /// looked at: then there is more to watch than these folders.
  private(set) var leadsOutside = false
  private var hasher = Hasher()

  init(root: String, isReading: Bool = true) {
    self.root = root
    self.isReading = isReading
  }

  /// Stands for the identity, size and times of every file that was found, and for every link.
  var fingerprint: Int { hasher.finalize() }

  private static let associationName = "apple-app-site-association"
  private static let casesName = "apple-app-site-association.cases"
  private static let assetLinksName = "assetlinks.json"
  private static let wellKnownName = ".well-known"
  /// The link that makes both places of the association file one.
  private static let innerLink = ".well-known/apple-app-site-association"

  /// Takes what an entry has, the place that wins first.
  mutating func take(
    _ entry: DomainFolder.Entry, in directory: borrowing Directory, listedCases: Set<String>?,
    _ memory: ReadingMemory
  ) {
    if let file = entry.file {
      takeAssociation(file, in: directory, .domains, isProbable: true, memory)
    }
    if let file = entry.assetLinksFile {
      takeAssetLinks(file, in: directory, .domains, isProbable: true)
    }
    if listedCases?.isEmpty != true {
      for name in entry.casesBeside where listedCases?.contains(name) ?? true {
        takeCases(name, in: directory, .domains)
      }
    }
    guard let folder = entry.folder else { return }
    do throws(SystemError) {
      let opened = try open(folder, in: directory)
      let cases = folder + ".cases"
      takeWellKnown(of: folder, cases, in: opened, memory)
      takeAll(cases, in: opened, .folder(folder), isProbable: false, memory)
    } catch {
      if error.isNotFound && directory.find(folder) == .nothing { return }
      fail(.wellKnown(folder), error)
    }
  }

  private mutating func takeWellKnown(
    of folder: String, _ cases: String, in parent: borrowing Directory, _ memory: ReadingMemory
  ) {
    do throws(SystemError) {
      let opened = try open(Self.wellKnownName, in: parent)
      takeAll(cases, in: opened, .wellKnown(folder), isProbable: true, memory)
    } catch {
      if error.isNotFound && !isDangling(Self.wellKnownName, in: parent) { return }
      fail(.wellKnown(folder), error)
    }
  }

  /// Opens a directory, and notes when a link leads to it.
  private mutating func open(
    _ name: String, in parent: borrowing Directory
  ) throws(SystemError) -> Directory {
    do throws(SystemError) {
      return try Directory(name, in: parent, followingLinks: false)
    } catch {
      // What is not there is not asked for again; a link is no directory.
      guard error.isNoDirectory, case .link(let target) = parent.find(name) else { throw error }
      add(link: target)
      leadsOutside = true
    }
    return try Directory(name, in: parent)
  }

  private mutating func takeAll(
    _ cases: String, in directory: borrowing Directory, _ place: Place, isProbable: Bool,
    _ memory: ReadingMemory
  ) {
    takeAssociation(
      Self.associationName, in: directory, place, isProbable: isProbable, memory)
    takeAssetLinks(Self.assetLinksName, in: directory, place, isProbable: false)
    takeCases(Self.casesName, in: directory, place)
    takeCases(cases, in: directory, place)
  }

  private mutating func takeAssociation(
    _ name: String, in directory: borrowing Directory, _ place: Place, isProbable: Bool,
    _ memory: ReadingMemory
  ) {
    if !isReading { return look(at: name, in: directory, place) }
    let found = isProbable ? nil : find(name, in: directory, place)
    if found == .nothing { return }
    let first = association
    if found == .link(Self.innerLink), case .folder = place, let first, first.isWellKnown,
      let status = first.status
    {
      // What was read a moment ago.
      return add(status)
    }
    guard
      let file = read(
        name, found, in: directory, place, limit: AppleLimits.fileBytes, first, memory)
    else { return }
    if let first { compare(file, with: first) } else { association = file }
  }

  private mutating func takeAssetLinks(
    _ name: String, in directory: borrowing Directory, _ place: Place, isProbable: Bool
  ) {
    if !isReading { return look(at: name, in: directory, place) }
    let found = isProbable ? nil : find(name, in: directory, place)
    if found == .nothing { return }
    let first = assetLinks
    guard
      let file = read(
        name, found, in: directory, place, limit: DomainReader.assetLinksBytes, first,
        ReadingMemory())
    else { return }
    if let first { compare(file, with: first) } else { assetLinks = file }
  }

  private mutating func takeCases(
    _ name: String, in directory: borrowing Directory, _ place: Place
  ) {
    if !isReading { return look(at: name, in: directory, place) }
    if find(name, in: directory, place) == .nothing { return }
    add(statusOf: name, in: directory)
    let path = path(name, place)
    if !cases.contains(path) { cases.append(path) }
  }

  /// What stands at a name. A link is noted.
  private mutating func find(
    _ name: String, in directory: borrowing Directory, _ place: Place
  ) -> Directory.Found {
    let found = directory.find(name)
    if case .link(let target) = found {
      add(link: target)
      if case .folder = place, target == Self.innerLink { return found }
      leadsOutside = true
    }
    return found
  }

  /// Nil when there is no file.
  ///
  /// - Parameter known: what stands there; nil when it was not asked for, and is probably a file.
  private mutating func read(
    _ name: String, _ known: Directory.Found?, in directory: borrowing Directory, _ place: Place,
    limit: Int, _ first: Found?, _ memory: ReadingMemory
  ) -> Found? {
    var isWellKnown = false
    if case .wellKnown = place { isWellKnown = true }
    var found = Found(path: path(name, place), isWellKnown: isWellKnown)
    do throws(SystemError) {
      let content = try directory.readContent(
        name, limit: limit, followingLinks: known != nil
      ) { status in
        // The same file by another way has the same bytes.
        if let first { return first.status?.isSameFile(as: status) != true }
        found.known = memory.good(for: status)
        return found.known == nil
      }
      add(content.status)
      found.status = content.status
      found.isTruncated = content.isTruncated
      found.bytes = found.known?.bytes ?? content.bytes
      if let first, let status = first.status, status.isSameFile(as: content.status) {
        found.bytes = first.bytes
      }
    } catch {
      if known == nil, error.isLinkLoop {
        let known = find(name, in: directory, place)
        return read(name, known, in: directory, place, limit: limit, first, memory)
      }
      if error.isNotFound && !isDangling(name, in: directory) { return nil }
      add(statusOf: name, in: directory)
      found.failure = error
    }
    return found
  }

  private mutating func compare(_ found: Found, with first: Found) {
    if found.failure == nil && found.bytes != first.bytes {
      differing.append((found.path, first.path))
    }
  }

  /// Both files at a place that cannot be entered.
  private mutating func fail(_ place: Place, _ error: SystemError) {
    leadsOutside = true
    if !isReading { return }
    if association == nil {
      association = Found(
        path: path(Self.associationName, place), isWellKnown: true, failure: error)
    }
    if assetLinks == nil {
      assetLinks = Found(path: path(Self.assetLinksName, place), isWellKnown: true, failure: error)
    }
  }

  /// Whether a symbolic link leads nowhere. Then it is not known whether there is a file: the link
  /// may be about to be replaced.
  private func isDangling(_ name: String, in directory: borrowing Directory) -> Bool {
    guard case .link = directory.find(name) else { return false }
    do throws(SystemError) {
      _ = try directory.status(name)
      return false
    } catch {
      return true
    }
  }

  private func path(_ name: String, _ place: Place) -> String {
    let parts =
      switch place {
      case .domains: (folder: "", middle: "/")
      case .folder(let folder): (folder: folder, middle: "/")
      case .wellKnown(let folder): (folder: folder, middle: "/.well-known/")
      }
    var path = ""
    path.reserveCapacity(
      root.utf8.count + 1 + parts.folder.utf8.count + parts.middle.utf8.count + name.utf8.count)
    path += root
    if !parts.folder.isEmpty {
      path += "/"
      path += parts.folder
    }
    path += parts.middle
    path += name
    return path
  }

  // MARK: The fingerprint

  /// Adds to the fingerprint what reading adds to it, without reading.
  private mutating func look(
    at name: String, in directory: borrowing Directory, _ place: Place
  ) {
    do throws(SystemError) {
      let status = try directory.status(name, followingLinks: false)
      if status.kind == .regular { return add(status) }
      if status.kind != .symbolicLink { return }
    } catch {
      return
    }
    _ = find(name, in: directory, place)
    add(statusOf: name, in: directory)
  }

  private mutating func add(statusOf name: String, in directory: borrowing Directory) {
    do throws(SystemError) {
      let status = try directory.status(name)
      if status.kind == .regular { add(status) }
    } catch {}
  }

  private mutating func add(_ status: FileStatus) {
    hasher.combine(status.device)
    hasher.combine(status.inode)
    hasher.combine(status.size)
    hasher.combine(status.modified)
    hasher.combine(status.changed)
  }

  private mutating func add(link target: String) { hasher.combine(target) }
}

extension FileStatus {
  fileprivate func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified && changed == other.changed
  }
}

extension DomainFolder.Entry {
  /// The names of expectations beside the entry.
  var casesBeside: [String] {
    var result: [String] = []
    if let file, file.lowercased().hasSuffix(".json") {
      result.append(String(file.dropLast(5)) + ".cases")
    }
    if let folder, !result.contains(folder + ".cases") { result.append(folder + ".cases") }
    return result
  }
}
