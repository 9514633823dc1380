internal import Diagnostics
internal import Hosting

/// Whether a name is that of an association file, or of one that is misspelt.
func isAssociationName(_ name: String) -> Bool {
  name == associationName || intendedName(for: name) == associationName
}

/// Faults of the name and the folder of an association file, for files that are named as on a web
/// server.
func placeFaults(_ path: String) -> [Diagnostic] {
  let parts = path.split(separator: "/").map(String.init)
  guard let name = parts.last, isAssociationName(name) else { return [] }
  var faults: [Diagnostic] = []
  if name != associationName {
    faults.append(
      misnamedFile(
        path, associationName, .warning,
        note: "it works only if the web server answers requests for the right name with this file"))
  }
  if parts.count > 1, parts[parts.count - 2].lowercased() == "well-known" {
    faults.append(
      misnamedFolder(
        path, .warning,
        note: "it works only if the web server answers requests for the right folder with this one")
    )
  }
  return faults
}
