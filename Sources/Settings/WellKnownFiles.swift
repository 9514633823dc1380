/// The files served under `/.well-known/` besides those of app associations. The table never
/// changes while the server runs, so a request can refer to a file by its index.
package struct WellKnownFiles: Sendable {
  package let files: [WellKnownFile]
  /// The index of the page in `files`.
  package let page: Int
  /// The request paths, in the order of `files`. The page's is a word for the log that no request
  /// path equals, because it has no slash.
  package let paths: [[UInt8]]
  /// The folders below `.well-known` that contain files.
  package let folders: [String]
  /// The names of the files and folders in `.well-known`.
  private let names: Set<String>

  /// The most files that settings can add. `DomainPlaces` has no room for more.
  static let mostAdded = 16

  /// - Parameter added: The files from settings. A file replaces one of the same name in the table.
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

  /// Returns whether a name in `.well-known` belongs to a file, or to a folder with files.
  package func contains(_ name: String) -> Bool { names.contains(name) }
}
