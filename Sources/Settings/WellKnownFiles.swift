/// The table of served files. It never changes while the server runs, so the code that reads files
/// and the code that selects responses both identify a file by its number in the table.
package struct WellKnownFiles: Sendable {
  /// The numbers of the association file and of `assetlinks.json`. These files come first in the
  /// table.
  package static let association = 0
  package static let assetLinks = 1
  /// The number of the file `page.html`, which is the last file in the table.
  package var page: Int { files.count - 1 }

  package let files: [WellKnownFile]
  /// The request paths, in the order of `files`. The association file has two paths. For
  /// `page.html`, which has no request path, the element is the word that the log shows. No request
  /// path equals this word, because the word has no slash.
  package let paths: [[UInt8]]
  /// The folders below `.well-known` that contain files.
  package let folders: [String]
  /// For each name of a file in `.well-known`, the number of the file. For each name of a folder in
  /// `.well-known`, the numbers of the files in the folder.
  package let numbers: [String: [Int]]

  /// The maximum number of files that settings can add.
  static let mostAdded = 16
  /// The maximum number of files in a table.
  package static let most = WellKnownFile.all.count + mostAdded + 3

  /// The table without files from settings. This table is made only once, because every
  /// `HostingOptions` starts with it.
  static let usual = WellKnownFiles()

  /// - Parameter added: The files from settings. If the table already has a file with the same
  ///   name, the added file replaces it.
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
