internal import Diagnostics
internal import DigitalAssetLinks
internal import Keeping
internal import Posix
internal import Rules
internal import Settings

/// The files of a host that are not the association file, such as `page.html`. If a file is faulty,
/// the last valid version of the file is served, as in `aasa serve`.
struct SiblingFiles: Sendable {
  enum Kind: Hashable {
    case assetLinks
    case judged(JudgedFile)
    /// The page for people without the app.
    case page

    fileprivate static let all = [assetLinks] + JudgedFile.allCases.map(judged) + [page]

    fileprivate var name: String {
      switch self {
      case .assetLinks: "assetlinks.json"
      case .judged(let file): file.rawValue
      case .page: "page.html"
      }
    }

    /// The URL path of the file; nil for `page.html`, because `page.html` is served at many paths.
    fileprivate var target: String? { self == .page ? nil : "/.well-known/" + name }

    var contentType: String { self == .page ? "text/html; charset=utf-8" : "application/json" }
  }

  /// The possible paths of each kind of file. Only the first path at which a file exists is used.
  private let candidates: [Kind: [String]]
  /// The folder of the host. If the association file is in `.well-known`, this is the folder that
  /// contains `.well-known`.
  private let folder: String
  private var contents: [Kind: [UInt8]] = [:]
  /// The rules of the current `assetlinks.json`; nil if there is no such file.
  private(set) var android: AndroidRules?

  /// - Parameter path: The path of the association file; nil if the association file was generated
  ///   from the command line.
  init(beside path: String?) {
    guard let path else {
      (candidates, folder) = ([:], ".")
      return
    }
    let beside = FilesBeside(path)
    folder = beside.hostFolder.isEmpty ? "." : beside.hostFolder
    var candidates: [Kind: [String]] = [.assetLinks: beside.assetLinks, .page: beside.page]
    for file in JudgedFile.allCases {
      candidates[.judged(file)] = beside.wellKnown(file.rawValue)
    }
    self.candidates = candidates
  }

  var paths: [String] { Kind.all.flatMap { candidates[$0] ?? [] } }

  /// The paths at which files exist.
  var found: [String] { paths.filter { !isMissing($0) } }

  /// Returns the file that is served at the path of a request; nil if no file is served at this
  /// path.
  func content(for target: String) -> (contentType: String, bytes: [UInt8])? {
    for kind in Kind.all where kind.target == target {
      return contents[kind].map { (kind.contentType, $0) }
    }
    return nil
  }

  var page: [UInt8]? { contents[.page] }

  /// Reads the files again. If a path is given, reads only the kind of file that can have this
  /// path.
  ///
  /// - Parameter changed: The changed path; nil to read all files.
  /// - Returns: The faults of the files.
  mutating func read(_ changed: String? = nil) -> [Diagnostic] {
    var faults: [Diagnostic] = []
    for kind in Kind.all {
      let paths = candidates[kind] ?? []
      if let changed, !paths.contains(changed) { continue }
      if kind == .assetLinks { android = nil }
      guard let path = paths.first(where: { !isMissing($0) }) else {
        contents[kind] = nil
        continue
      }
      do throws(SystemError) {
        let file = try ForeignFile(reading: path, limit: DevLimits.fileBytes, in: folder)
        guard file.isInside else {
          faults.append(
            Diagnostic(
              .wellKnownLink, "a symbolic link points out of the folder, so the file is not served",
              at: .init(path: path), help: "replace the link with a copy of the file",
              note: "everybody who knows the tunnel's address could read the link's target"))
          contents[kind] = nil
          continue
        }
        let source = SourceText(path: path, bytes: file.content.bytes)
        let errors = errors(in: source, kind)
        faults += errors
        if errors.isEmpty { contents[kind] = source.bytes }
      } catch {
        faults.append(unreadable("the file cannot be read: \(error.reason)", path))
      }
    }
    return faults
  }

  private mutating func errors(in source: SourceText, _ kind: Kind) -> [Diagnostic] {
    let found: [Diagnostic]
    switch kind {
    case .assetLinks:
      let file = AssetLinksFile(source)
      android = AndroidRules(file)
      found = file.report().diagnostics
    case .judged(let file): found = JudgedReading(source, as: file).report().diagnostics
    case .page:
      let isTruncated = source.bytes.count > WellKnownFile.pageBytes
      found = faultOfPage(source.bytes, isTruncated: isTruncated, source.path).map { [$0] } ?? []
    }
    return found.filter { $0.severity == .error }
  }
}

private func unreadable(_ message: String, _ path: String) -> Diagnostic {
  Diagnostic(
    .hostedFileUnreadable, message, at: .init(path: path),
    help: "save the file again; the previous version is served until then")
}
