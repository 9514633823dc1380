internal import Diagnostics
internal import Keeping

/// Returns the file name that devices request if the given name equals it or resembles it. Returns
/// nil for any other name.
func requestedName(_ name: String) -> String? {
  [associationName, assetLinksName].contains(name) ? name : intendedName(for: name)
}

/// Whether a folder's name differs from `.well-known` only in the dot, the hyphen or the case of
/// letters.
func isNearlyWellKnown(_ folder: String) -> Bool {
  folder != ".well-known" && folder.lowercased().filter(\.isLetter) == "wellknown"
    && folder.count <= ".well-known".count
}

/// Returns the faults in the name and folder of an association file or `assetlinks.json`. Assumes a
/// web server that uses the names of files as URL paths.
func placeFaults(_ path: String) -> [Diagnostic] {
  let parts = path.split(separator: "/").map(String.init)
  guard let name = parts.last, let right = requestedName(name) else { return [] }
  var faults: [Diagnostic] = []
  if name != right {
    faults.append(
      misnamedFile(
        path, right, .warning,
        note: "the file works only if the web server serves it under the right name"))
  }
  if parts.count > 1, isNearlyWellKnown(parts[parts.count - 2]) {
    faults.append(
      misnamedFolder(
        path, .warning,
        note: "the files in this folder work only if the web server serves the folder under the "
          + "right name")
    )
  }
  return faults
}
