internal import AppSiteAssociation
package import Diagnostics
internal import Posix
internal import Settings

/// The name that Apple's devices request; it has no extension.
package let associationName = WellKnownFile.association.name

/// The name that Android requests.
package let assetLinksName = WellKnownFile.assetLinks.name

/// Returns the correct file name for a misspelled name. Returns nil if the name is correct, or if
/// it is not similar to a correct name.
///
/// A name is treated as misspelled if an editor or a web server has added an extension, as in
/// `assetlinks.json.txt`. A name with the extension of a backup or of a related file is not treated
/// as misspelled.
package func intendedName(for name: String) -> String? {
  let parts = name.lowercased().split(
    separator: ".", maxSplits: 1, omittingEmptySubsequences: false
  ).map(String.init)
  let extensions: [String?] = [nil, "json", "txt", "html", "json.txt", "json.json"]
  guard let stem = parts.first, extensions.contains(parts.dropFirst().first) else { return nil }
  let right: String
  if stem.hasPrefix("a"), nearest(to: stem, among: [associationName]) != nil {
    right = associationName
  } else if stem.contains("link"), nearest(to: stem, among: ["assetlinks"]) != nil {
    right = assetLinksName
  } else {
    return nil
  }
  return name == right ? nil : right
}

/// Returns the fault of a file that no client requests because it has the wrong name.
package func misnamedFile(
  _ path: String, _ right: String, _ severity: Diagnostic.Severity, note: String? = nil
) -> Diagnostic {
  Diagnostic(
    .fileName, severity: severity, "devices do not request a file of this name",
    at: .init(path: path), help: "name it \(right)", note: note)
}

/// Returns the fault of a file that no client requests because it is in the wrong folder.
package func misnamedFolder(
  _ path: String, _ severity: Diagnostic.Severity, note: String? = nil
) -> Diagnostic {
  Diagnostic(
    .folderName, severity: severity, "devices do not request files of a folder with this name",
    at: .init(path: path), note: note)
}

extension DomainReader {
  /// Returns faults of a host's files that were probably meant to be served, but have wrong names.
  /// Omits a file that also exists under the right name. If no name has a fault, but the folder
  /// contains nothing to serve or only a page, returns a fault of the folder.
  ///
  /// - Parameters:
  ///   - folder: The path of the host's folder.
  ///   - unknown: The names in the host's folder `.well-known` that are not served.
  func placeFaults(
    in folder: String, unknown: [String], _ reading: DomainReading
  ) -> [Diagnostic] {
    var missing: [String] = []
    if reading.files[WellKnownFiles.assetLinks] == nil { missing.append(assetLinksName) }
    var faults: [Diagnostic] = []
    if reading.files[WellKnownFiles.association] == nil {
      missing.append(associationName)
      for name in (try? listDirectory(folder))?.sorted() ?? [] {
        let path = "\(folder)/\(name)"
        if let right = intendedName(for: name), missing.contains(right) {
          faults.append(misnamedFile(path, right, .error))
        } else if name != ".well-known", nearest(to: name, among: [".well-known"]) != nil,
          let names = try? listDirectory(path)
        {
          faults += missing.filter(names.contains).map { misnamedFolder("\(path)/\($0)", .error) }
        }
      }
    }
    if unknown.contains(WellKnownFile.page.name) {
      faults.append(
        Diagnostic(
          .pagePlace, "a page is not served from .well-known",
          at: .init(path: "\(folder)/.well-known/\(WellKnownFile.page.name)"),
          help: "move the page into the folder above .well-known"))
    }
    for name in unknown.sorted() {
      guard let right = intendedName(for: name), missing.contains(right) else { continue }
      faults.append(misnamedFile("\(folder)/.well-known/\(name)", right, .error))
    }
    if faults.isEmpty, reading.files.all.allSatisfy({ $0.number == observer.wellKnown.page }) {
      faults.append(
        Diagnostic(
          .entryWithoutFile, "the folder contains no association file", at: .init(path: folder)))
    }
    return faults
  }
}
