internal import Diagnostics

/// The name that devices request; it has no extension.
let associationName = "apple-app-site-association"

/// The right name for a similar one; nil for others.
func misspelling(_ name: String) -> String? {
  let lower = name.lowercased()
  if name == associationName || !lower.hasPrefix("a") { return nil }
  let stem = [".json", ".txt"].first { lower.hasSuffix($0) }.map {
    String(lower.dropLast($0.count))
  }
  return nearest(to: stem ?? lower, among: [associationName])
}

/// Faults of the name and the folder of an association file, for files that are named as on a web
/// server.
func placeFaults(_ path: String) -> [Diagnostic] {
  let parts = path.split(separator: "/").map(String.init)
  guard let name = parts.last else { return [] }
  var faults: [Diagnostic] = []
  if misspelling(name) != nil {
    faults.append(
      Diagnostic(
        .warning, code: "V005", "devices do not request a file of this name",
        at: .init(path: path), help: "name it \(associationName)",
        note: "it works only if the web server answers requests for the right name with this file"))
  } else if name != associationName {
    return []
  }
  if parts.count > 1, parts[parts.count - 2].lowercased() == "well-known" {
    faults.append(
      Diagnostic(
        .warning, code: "V006", "devices do not request files of a folder with this name",
        at: .init(path: path), help: "name the folder .well-known, with a dot",
        note: "it works only if the web server answers requests for the right folder with this one")
    )
  }
  return faults
}
