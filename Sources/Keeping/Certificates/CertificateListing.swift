internal import Diagnostics
internal import Posix

/// A listing of a certificates folder, and the certificates that the files in it form.
struct CertificateListing: KeptListing {
  typealias Key = String

  let search: CertificateSearch
  let names: CertificateFolderNames
  /// Folders and links that cannot be followed.
  let closed: [Diagnostic]

  var identity: FileStatus { search.status }
  var isUnsettled: Bool { false }
  var isEmpty: Bool { search.isEmpty }
  var entries: [CertificateFolder.Entry] { names.folder.entries }
  func has(_ chain: String) -> Bool { names.chains.contains(chain) }
  var keysWithoutChain: Set<String> { names.keysWithoutChain }
}

/// The file names that a search found, and the certificates that these files form. The names are
/// parsed again only after a change, because parsing the names of 10,000 certificates takes 20 MB
/// of memory.
struct CertificateFolderNames: Sendable {
  private var mark = 0
  private(set) var folder = CertificateFolder(root: "", paths: [])
  private(set) var chains: Set<String> = []
  private(set) var keysWithoutChain: Set<String> = []

  init() {}

  init(root: String, paths: [(path: String, isDirectory: Bool)], after last: Self) {
    mark = paths.count
    for (path, isDirectory) in paths {
      var hasher = Hasher()
      hasher.combine(path)
      hasher.combine(isDirectory)
      // The order of a directory listing must not matter. Add the hashes, because a sum does not
      // depend on the order.
      mark &+= hasher.finalize()
    }
    if mark == last.mark {
      self = last
      return
    }
    folder = CertificateFolder(root: root, paths: paths)
    chains = Set(folder.entries.map(\.chain))
    keysWithoutChain = folder.keysWithoutChain(among: paths)
  }
}

extension CertificateListing {
  init(_ root: String, after last: CertificateFolderNames) throws(SystemError) {
    search = try CertificateSearch(root)
    names = CertificateFolderNames(root: root, paths: search.paths, after: last)
    closed = search.closed.map { path, error in
      unreadableDiagnostic(
        "the folder", .certificateFileUnreadable, path.isEmpty ? root : root + "/" + path, error)
    }
  }
}

extension CertificateReader: KeptReader {
  /// A certificate to read.
  struct Task: Sendable {
    let entry: CertificateFolder.Entry
    let asking: Asking<CertificateClue>
    /// The identity of the certificate's files at the last read; see
    /// `CertificateReader.Reading.identity`.
    let identity: Int
    /// Whether the files are completely written, or have been changing for too long.
    let isSettled: Bool
  }

  static var nothingShared: Void { () }

  func path(of task: Task) -> String { "\(root)/\(task.entry.chain)" }

  func isUnreadable(_ reading: Reading) -> Bool { reading.finding.isUnreadable }

  func answer(_ task: Task, in directory: borrowing Directory, _ shared: inout Void) -> Reading? {
    let path = path(of: task)
    switch task.asking {
    case .read: break
    case .compare: if identity(of: task.entry) == task.identity { return nil }
    case .find(.hidden): return Reading(absence: .unknown)
    // A search can miss an existing file if the file is replaced during the search, so look for the
    // file again.
    case .find(.missing(let isFolderGone)):
      let isThere = !isFolderGone && !isMissing(path, followingLinks: false)
      return Reading(absence: isThere ? .unknown : .proven)
    case .find(.keyIsLeft(let key, let isNamed)):
      let identity = identity(of: task.entry)
      if identity == task.identity && !isNamed { return nil }
      return Reading(
        finding: .unusable(.chainMissing(path, key: root + "/" + key)), identity: identity)
    }
    return read(task.entry, in: directory, isSettled: task.isSettled)
  }
}

extension Diagnostic {
  /// The fault that a chain is missing while its key still exists. Such a chain is treated as
  /// unreadable, not as missing.
  fileprivate static func chainMissing(_ path: String, key: String) -> Diagnostic {
    Diagnostic(
      .certificateFileUnreadable,
      "the certificate file is missing, but its key \(key) still exists",
      at: .init(path: path), help: "put the file back, or remove the key too")
  }
}
