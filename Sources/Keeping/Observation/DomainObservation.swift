internal import Posix
internal import Settings

/// The result of observing all files of a domain once.
struct DomainObservation: Sendable {
  /// For each file number, the file to use. Omits missing files.
  var files = ByFile<FileObservation>()
  /// The folder of each file in `files`.
  var folders = ByFile<DomainObserver.Folder>()
  /// The files of expectations with their paths. Omits missing files.
  var cases: [(path: String, observation: FileObservation)] = []
  /// The observation of the list of further hosts for which the same files are served.
  var hosts = FileObservation.absent
  /// Files that exist but are not used, each with the path of the file that is served instead
  /// (`winner`). The contents of the two files differ.
  var differing: [(path: String, winner: String)] = []
  /// The unrecognized names in the folder `.well-known`.
  var unknownNames: [String] = []
  var facts = DomainFacts()
  /// Collects the identities of everything that is observed.
  var hasher = Hasher()

  /// The total size of the files to serve and of the expectations, in bytes.
  var bytes: Int {
    cases.reduce(files.all.reduce(0) { $0 + $1.value.size }) { $0 + $1.observation.size }
  }

  /// Whether a file has been replaced or written since it was read.
  var isOutdated: Bool {
    (files.all.map(\.value) + cases.map(\.observation) + [hosts]).contains { observation in
      guard case .present(let path, let content) = observation else { return false }
      return (try? status(path)) != content.status
    }
  }
}

/// The facts about the files of a domain, except for their contents.
struct DomainFacts: Settling, Sendable {
  /// Whether a folder on the path of a file cannot be searched. If so, there may be files that were
  /// not found.
  var isFolderClosed = false
  /// The file locations of the domain at which a file or folder exists.
  var places = FileLocations()
  /// A hash of the identities of everything that was observed.
  var identity = 0
  var settlingTime: Int64 = 0
  var doubtfulTime: Int64 = 0
}

/// A set of locations at which a domain's files can be. Each bit represents one location.
struct FileLocations: OptionSet, Sendable {
  let rawValue: UInt64

  private init(bit: Int) { rawValue = 1 << UInt64(bit) }
  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The location of this part directly in the domains folder.
  init(flat part: DomainFolder.Part) { self.init(bit: Int(part.rawValue)) }
  /// The location of an association file or `assetlinks.json` directly in the folder of the host.
  init(hostFile number: Int) { self.init(bit: 6 + number) }
  /// The location of a file of expectations in a folder of the host. `name` is the index of one of
  /// the two possible names of the file.
  init(cases name: Int, in folder: DomainObserver.Folder) {
    self.init(bit: (folder == .wellKnown ? 8 : 10) + name)
  }
  /// The location of the file with this number in `.well-known`. For the page, the location in the
  /// folder of the host.
  init(file number: Int) { self.init(bit: Self.firstFile + number) }

  /// The policy file `.aasa.json` in the folder of the host, and in its folder `.well-known`.
  static let policy = FileLocations(bit: 12)
  static let wellKnownPolicy = FileLocations(bit: 13)
  /// The folders below `.well-known` that may have files to serve.
  static let folders = FileLocations(bit: 14)

  private static let firstFile = 15
  /// The maximum number of files that the bits can represent.
  static let mostFiles = UInt64.bitWidth - firstFile

  /// Whether the set contains the location of a file that is neither an association file nor
  /// `assetlinks.json`.
  var hasOthers: Bool { rawValue >> UInt64(Self.firstFile + WellKnownFiles.assetLinks + 1) != 0 }
}

/// The result of looking for a file and reading it. The content has not been checked yet.
enum FileObservation: Sendable {
  /// The whole file was read, or the file was read up to one byte beyond its size limit.
  case present(path: String, FileContent)
  /// The folder can be read, but does not contain the file.
  case absent
  /// The file may exist, but the system does not let the server read it.
  case unreadable(path: String, SystemError)

  /// The path where the file was found.
  var path: String? {
    switch self {
    case .present(let path, _), .unreadable(let path, _): path
    case .absent: nil
    }
  }

  /// The number of bytes that were read.
  fileprivate var size: Int {
    if case .present(_, let content) = self { content.bytes.count } else { 0 }
  }
}

/// Values for some of the files in `WellKnownFiles`, by number.
struct ByFile<Value> {
  /// The files that have a value, ordered by number. Nearly all hosts have only the first file.
  private(set) var all: [(number: Int, value: Value)] = []

  var isEmpty: Bool { all.isEmpty }

  subscript(number: Int) -> Value? {
    get { all.first { $0.number == number }?.value }
    set {
      let index = all.firstIndex { $0.number >= number } ?? all.count
      let isThere = index < all.count && all[index].number == number
      switch (newValue, isThere) {
      case (let value?, true): all[index].value = value
      case (let value?, false): all.insert((number, value), at: index)
      case (nil, true): all.remove(at: index)
      case (nil, false): break
      }
    }
  }
}

extension ByFile: Sendable where Value: Sendable {}
