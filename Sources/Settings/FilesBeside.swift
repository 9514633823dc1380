/// Derives the paths of a host's other files from the path of one file of the host, by the rules of
/// `aasa serve`. For example, the `assetlinks.json` that belongs to `NAME.json` has the path
/// `NAME.assetlinks.json`. In a host's own folder, the name of this file is only `assetlinks.json`.
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

  /// The host's own folder, with a slash at its end. If the file is in `.well-known`, this is the
  /// folder that contains `.well-known`.
  package var hostFolder: String {
    folder.hasSuffix(".well-known/") ? String(folder.dropLast(12)) : folder
  }

  package var cases: String { (stem ?? path) + ".cases" }

  /// The possible paths of the `assetlinks.json` that belongs to an association file. Only the
  /// first path at which a file exists is used.
  package var assetLinks: [String] { named("assetlinks.json", in: folder) }

  package var page: [String] { named("page.html", in: hostFolder) }

  /// Returns the path of the well-known file that has this name and is in the same folder as the
  /// given file.
  package func wellKnown(_ name: String) -> [String] { [folder + name] }

  private func named(_ name: String, in folder: String) -> [String] {
    (stem.map { ["\($0).\(name)"] } ?? []) + [folder + name]
  }

  /// A path that is the same for all files of one host. If the host has its own folder, this is the
  /// folder's path. For flat files such as `NAME.json` and `NAME.assetlinks.json`, this is the part
  /// of the path up to `NAME`.
  package var host: String {
    guard let stem, !path.hasSuffix("/assetlinks.json") else {
      return String(hostFolder.dropLast())
    }
    let flat = ".assetlinks"
    return stem.hasSuffix(flat) ? String(stem.dropLast(flat.count)) : stem
  }
}
