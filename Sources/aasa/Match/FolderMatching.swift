internal import AppSiteAssociation
internal import Checking
internal import Diagnostics
internal import Hosting
internal import Posix

/// Matches URLs against the files of a folder of domains, each against its host's file.
struct FolderMatching {
  let root: String
  let domain: String?
  let app: String?

  /// The output and the exit code. Nil if the folder cannot be read, which is reported.
  func results(
    _ urls: [String], explaining: Bool
  ) throws(PatternsTooLarge) -> (text: String, json: [String], errors: [String], code: Int32)? {
    let folder: DomainFolder
    do throws(SystemError) {
      folder = try DomainFolder(reading: root)
    } catch {
      printError(escapingControls("error: \(error)"))
      return nil
    }
    var (text, json, errors, codes) = ("", [] as [String], [] as [String], [] as [Int32])
    for url in urls {
      guard let host = hostOfURL(url) ?? domain else {
        errors.append(
          "error: \(url) has no host, and \(root) is a folder of domains; write the whole URL, or "
            + "give --domain")
        continue
      }
      guard let path = folder.entry(serving: host)?.associationPath(in: root) else {
        errors.append("error: \(root) has no file for \(host)")
        continue
      }
      guard let document = readAssociation(path) else { return nil }
      let matching = try URLMatching(document, domain: nil, app: app)
      let result = try matching.results([url], explaining: explaining)
      text += result.text
      json.append(result.json)
      errors += result.errors
      codes.append(result.exitCode)
    }
    let code: Int32 = !errors.isEmpty || codes.contains(2) ? 2 : codes.contains(0) ? 0 : 1
    return (text, json, errors.map(escapingControls), code)
  }
}
