/// The files that are served under `/.well-known/` besides those of app associations. The table
/// never changes while the server runs, so that requests find a file by its number in it.
package struct WellKnownFiles: Sendable {
  package let files: [WellKnownFile]
  /// The paths of requests, in the order of `files`.
  package let paths: [[UInt8]]
  /// The folders below `.well-known` that files are in.
  let folders: [String]
  /// The numbers of files that are directly in `.well-known`, by their names.
  private let numbers: [String: Int]

  /// The most files that settings can add: so many have a place in `DomainPlaces`.
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
    self.files = files
    paths = files.map { Array("/.well-known/\($0.name)".utf8) }
    var folders: [String] = []
    for folder in files.compactMap(\.folder) where !folders.contains(folder) {
      folders.append(folder)
    }
    self.folders = folders
    numbers = Dictionary(
      uniqueKeysWithValues: files.indices.filter { files[$0].folder == nil }
        .map { (files[$0].name, $0) })
  }

  /// The number of the file of this name directly in `.well-known`.
  func number(of name: String) -> Int? { numbers[name] }

  /// Whether a name in `.well-known` is that of a file, or of a folder with files.
  func contains(_ name: String) -> Bool { numbers[name] != nil || folders.contains(name) }
}
