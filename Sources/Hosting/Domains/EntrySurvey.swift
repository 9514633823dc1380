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
    var bytes: [UInt8] = []
    var isTruncated = false
    var status: FileStatus?
    /// The same version of the same file was read under another name.
    var known: ReadingMemory.Good?
    /// Why it cannot be read.
    var failure: SystemError?
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
  private var hasher = Hasher()

  init(root: String, isReading: Bool = true) {
    self.root = root
    self.isReading = isReading
  }

  /// Stands for the identity, size and times of everything that was found.
  var fingerprint: Int { hasher.finalize() }

  private static let associationName = "apple-app-site-association"
  private static let assetLinksName = "assetlinks.json"
  private static let wellKnown = ".well-known"

  /// Takes what an entry has, the place that wins first.
  mutating func take(
    _ entry: DomainFolder.Entry, in directory: borrowing Directory, listedCases: Set<String>?,
    _ memory: ReadingMemory
  ) {
    if let file = entry.file { takeAssociation(file, in: directory, "", isProbable: true, memory) }
    if let file = entry.assetLinksFile {
      takeAssetLinks(file, in: directory, "", isProbable: true)
    }
    for name in entry.casesBeside where listedCases?.contains(name) ?? true {
      takeCases(name, in: directory, "")
    }
    guard let folder = entry.folder else { return }
    do throws(SystemError) {
      let place = try Directory(folder, in: directory)
      takeWellKnown(of: folder, in: place, memory)
      takeAll(of: folder, in: place, folder, isProbable: false, memory)
    } catch {
      if error.isNotFound && directory.find(folder) == .nothing { return }
      fail(folder + "/" + Self.wellKnown, error)
    }
  }

  private mutating func takeWellKnown(
    of folder: String, in parent: borrowing Directory, _ memory: ReadingMemory
  ) {
    let place = folder + "/" + Self.wellKnown
    do throws(SystemError) {
      let directory = try Directory(Self.wellKnown, in: parent)
      takeAll(of: folder, in: directory, place, isProbable: true, memory)
    } catch {
      if error.isNotFound && !isDangling(Self.wellKnown, in: parent) { return }
      fail(place, error)
    }
  }

  private mutating func takeAll(
    of folder: String, in directory: borrowing Directory, _ place: String, isProbable: Bool,
    _ memory: ReadingMemory
  ) {
    takeAssociation(
      Self.associationName, in: directory, place, isProbable: isProbable, memory)
    takeAssetLinks(Self.assetLinksName, in: directory, place, isProbable: false)
    takeCases(Self.associationName + ".cases", in: directory, place)
    takeCases(folder + ".cases", in: directory, place)
  }

  private mutating func takeAssociation(
    _ name: String, in directory: borrowing Directory, _ place: String, isProbable: Bool,
    _ memory: ReadingMemory
  ) {
    guard isReading else { return add(statusOf: name, in: directory) }
    if !isProbable {
      switch directory.find(name) {
      case .nothing: return
      case .link(Self.wellKnown + "/" + Self.associationName):
        // What was read a moment ago.
        if let first = association, let status = first.status,
          first.path.hasSuffix(place + "/" + Self.wellKnown + "/" + Self.associationName)
        {
          return add(status)
        }
      case .link, .other: break
      }
    }
    let first = association
    let found = read(name, in: directory, place, limit: AppleLimits.fileBytes, first, memory)
    guard let found else { return }
    if let first { compare(found, with: first) } else { association = found }
  }

  private mutating func takeAssetLinks(
    _ name: String, in directory: borrowing Directory, _ place: String, isProbable: Bool
  ) {
    guard isReading else { return add(statusOf: name, in: directory) }
    if !isProbable && directory.find(name) == .nothing { return }
    let first = assetLinks
    let found = read(
      name, in: directory, place, limit: DomainReader.assetLinksBytes, first, ReadingMemory())
    guard let found else { return }
    if let first { compare(found, with: first) } else { assetLinks = found }
  }

  private mutating func takeCases(
    _ name: String, in directory: borrowing Directory, _ place: String
  ) {
    guard isReading else { return add(statusOf: name, in: directory) }
    if directory.find(name) == .nothing { return }
    add(statusOf: name, in: directory)
    let path = path(name, place)
    if !cases.contains(path) { cases.append(path) }
  }

  /// Nil when there is no file.
  private mutating func read(
    _ name: String, in directory: borrowing Directory, _ place: String, limit: Int,
    _ first: Found?, _ memory: ReadingMemory
  ) -> Found? {
    var found = Found(path: path(name, place))
    do throws(SystemError) {
      let content = try directory.readContent(name, limit: limit) { status in
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
  private mutating func fail(_ place: String, _ error: SystemError) {
    if !isReading { return }
    if association == nil {
      association = Found(path: path(Self.associationName, place), failure: error)
    }
    if assetLinks == nil {
      assetLinks = Found(path: path(Self.assetLinksName, place), failure: error)
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

  private func path(_ name: String, _ place: String) -> String {
    place.isEmpty ? "\(root)/\(name)" : "\(root)/\(place)/\(name)"
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
