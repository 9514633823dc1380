/// The table of served files. It never changes while the server runs, so what belongs to a file
/// refers to it by its number in the table, from the observation to the answer.
package struct WellKnownFiles: Sendable {
  /// The numbers of the files of app associations, which come first.
  package static let association = 0
  package static let assetLinks = 1
  /// The number of the page, which is last.
  package var page: Int { files.count - 1 }

  package let files: [WellKnownFile]
  /// The request paths, in the order of `files`. The association file has two. The page has a word
  /// in place of a path, which is for the log. No request matches it, because it has no slash.
  package let paths: [[UInt8]]
  /// The folders below `.well-known` that contain files.
  package let folders: [String]
  /// The numbers of the files that are, or are below, each name in `.well-known`.
  package let numbers: [String: [Int]]

  /// The most files that settings can add.
  static let mostAdded = 16
  /// The most files of a table.
  package static let most = WellKnownFile.all.count + mostAdded + 3

  /// The table without files from settings, made once: every group of settings begins with it.
  static let usual = WellKnownFiles()

  /// - Parameter added: The files from settings. A file replaces one of the same name in the table.
  package init(adding added: [WellKnownFile] = []) {
    var files = [.association, .assetLinks] + WellKnownFile.all
    for file in added.prefix(Self.mostAdded) {
      if let index = files.firstIndex(where: { $0.name == file.name }) {
        files[index] = file
      } else {
        files.append(file)
      }
    }
    numbers = Dictionary(grouping: files.indices) { files[$0].folder ?? files[$0].name }
    var paths = files.map { Array("/.well-known/\($0.name)".utf8) } + [Array("page".utf8)]
    paths.insert(Array("/\(WellKnownFile.association.name)".utf8), at: 1)
    self.paths = paths
    folders = files.compactMap(\.folder).reduce(into: []) { folders, folder in
      if !folders.contains(folder) { folders.append(folder) }
    }
    self.files = files + [.page]
  }
}
