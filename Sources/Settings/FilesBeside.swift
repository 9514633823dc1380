/// Derives the paths of a host's other files from the path of one of its files, by the rules of
/// `aasa serve`. For example, `NAME.assetlinks.json` is beside `NAME.json`. In a host's own folder,
/// the file is `assetlinks.json`.
package struct FilesBeside {
  private let path: String
  /// The path without its extension `.json`; nil if the path does not have this extension.
  private let stem: String?
  /// The folder of the file, with a slash at its end; empty for the working directory.
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

  /// The possible paths of the `assetlinks.json` that belongs to an association file. The first
  /// existing file is used.
  package var assetLinks: [String] { named("assetlinks.json", in: folder) }

  package var page: [String] { named("page.html", in: hostFolder) }

  /// Returns the path of a well-known file in the same folder.
  package func wellKnown(_ name: String) -> [String] { [folder + name] }

  private func named(_ name: String, in folder: String) -> [String] {
    (stem.map { ["\($0).\(name)"] } ?? []) + [folder + name]
  }

  /// A path that is the same for all files of one host: the host's folder, or the path up to
  /// `NAME`.
  package var host: String {
    guard let stem, !path.hasSuffix("/assetlinks.json") else {
      return String(hostFolder.dropLast())
    }
    let flat = ".assetlinks"
    return stem.hasSuffix(flat) ? String(stem.dropLast(flat.count)) : stem
  }
}
