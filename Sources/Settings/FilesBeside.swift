/// The paths of a host's files beside one of them, by the rules of `aasa serve`: `NAME.json` has
/// `NAME.assetlinks.json` beside it, a host's own folder has `assetlinks.json`.
package struct FilesBeside {
  private let path: String
  /// The path without `.json` at its end; nil in a folder of the host's own.
  private let stem: String?
  /// The folder of the file, with a slash at its end; empty for this folder.
  private let folder: String

  package init(_ path: String) {
    self.path = path
    stem = path.lowercased().hasSuffix(".json") ? String(path.dropLast(5)) : nil
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// The folder of the host, above `.well-known`, with a slash at its end.
  package var hostFolder: String {
    folder.hasSuffix(".well-known/") ? String(folder.dropLast(12)) : folder
  }

  package var cases: String { (stem ?? path) + ".cases" }

  /// Where the `assetlinks.json` of an association file may be. The first that exists counts.
  package var assetLinks: [String] { named("assetlinks.json", in: folder) }

  package var page: [String] { named("page.html", in: hostFolder) }

  /// Where a file is that has no name of its own beside `NAME.json`.
  package func wellKnown(_ name: String) -> [String] { [folder + name] }

  private func named(_ name: String, in folder: String) -> [String] {
    (stem.map { ["\($0).\(name)"] } ?? []) + [folder + name]
  }

  /// What the paths of all files of one host have in common.
  package var host: String {
    guard let stem, !path.hasSuffix("/assetlinks.json") else {
      return String(hostFolder.dropLast())
    }
    let flat = ".assetlinks"
    return stem.hasSuffix(flat) ? String(stem.dropLast(flat.count)) : stem
  }
}
