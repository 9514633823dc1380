/// The files that are served under `/.well-known/` besides those of app associations. The table
/// never changes while the server runs, so that requests find a file by its number in it.
package struct WellKnownFiles: Sendable {
  package let files: [WellKnownFile]
  /// The number of the page in `files`.
  package let page: Int
  /// The paths of requests, in the order of `files`. That of the page is a word for the log, which no
  /// path of a request equals, because it has no slash.
  package let paths: [[UInt8]]
  /// The folders below `.well-known` that files are in.
  package let folders: [String]
  /// The names of files and folders in `.well-known`.
  private let names: Set<String>

  /// The most files that settings can add: `DomainPlaces` has no room for more.
  static let mostAdded = 16

  /// - Parameter added: Files of settings. One with a name of the table replaces it.
  package init(adding added: [WellKnownFile] = []) {
    var files = WellKnownFile.all
    for file in added.prefix(Self.mostAdded) {
      if let index = files.firstIndex(where: { $0.name == file.name }) {
        files[index] = file
      } else {
        files.append(file)
      }
    }
    names = Set(files.map { $0.folder ?? $0.name })
    page = files.count
    files.append(.page)
    self.files = files
    paths = files.map { Array($0.isPage ? "page".utf8 : "/.well-known/\($0.name)".utf8) }
    var folders: [String] = []
    for folder in files.compactMap(\.folder) where !folders.contains(folder) {
      folders.append(folder)
    }
    self.folders = folders
  }

  /// Whether a name in `.well-known` is that of a file, or of a folder with files.
  package func contains(_ name: String) -> Bool { names.contains(name) }
}
