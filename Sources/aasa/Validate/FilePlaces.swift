internal import Diagnostics

/// What devices ask for; it has no extension.
let associationName = "apple-app-site-association"

/// The right name for one that is nearly it; nil for others.
func misspelling(_ name: String) -> String? {
  let lower = name.lowercased()
  if name == associationName || !lower.hasPrefix("a") { return nil }
  let stem = [".json", ".txt"].first { lower.hasSuffix($0) }.map {
    String(lower.dropLast($0.count))
  }
  return nearest(to: stem ?? lower, among: [associationName])
}

/// What is wrong with the name and the folder of an association file: only for files that are named
/// as on a web server.
func placeFaults(_ path: String) -> [Diagnostic] {
  let parts = path.split(separator: "/").map(String.init)
  guard let name = parts.last else { return [] }
  var faults: [Diagnostic] = []
  if misspelling(name) != nil {
    faults.append(
      Diagnostic(
        .warning, code: "V005", "devices do not ask for a file of this name",
        at: .init(path: path), help: "name it \(associationName)",
        note: "it works only where the web server answers for the right name with this file"))
  } else if name != associationName {
    return []
  }
  if parts.count > 1, parts[parts.count - 2].lowercased() == "well-known" {
    faults.append(
      Diagnostic(
        .warning, code: "V006", "devices do not look into a folder of this name",
        at: .init(path: path), help: "name the folder .well-known, with a dot",
        note: "it works only where the web server answers for the right folder with this one"))
  }
  return faults
}
