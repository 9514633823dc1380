internal import Diagnostics
internal import Keeping

/// If a file name is one of the two names that devices request, or resembles one of them, returns
/// the name that devices request. Returns nil for any other file name.
func requestedName(_ name: String) -> String? {
  [associationName, assetLinksName].contains(name) ? name : intendedName(for: name)
}

/// Whether a folder's name is a misspelling of `.well-known`: only the dot, the hyphen or the case
/// of letters differs.
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
