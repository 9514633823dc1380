internal import AppSiteAssociation
internal import Catalog
internal import Checking
internal import Diagnostics
internal import Keeping
internal import Posix
internal import Rules

/// Matches URLs against the files of a folder of domains, each against its host's files; or against
/// those of one host's folder; or against an `assetlinks.json` alone.
struct FolderMatching {
  let root: String
  let domain: String?
  let app: String?

  /// The output and the exit code.
  struct Output {
    var text = ""
    var json: [String] = []
    var errors: [String] = []
    var opens = false
    var hasFailed = false

    var code: Int32 { !errors.isEmpty || hasFailed ? 2 : opens ? 0 : 1 }
  }

  /// Nil if the folder or a file cannot be read, which is reported.
  func results(_ urls: [String], explaining: Bool) throws(PatternsTooLarge) -> Output? {
    if let files = ServedFiles(list: root) ?? ServedFiles(folder: root) {
      var output = Output()
      for url in urls {
        guard try match(url, files, explaining: explaining, &output) else { return nil }
      }
      return output
    }
    let hosts: FolderHosts
    do throws(SystemError) {
      hosts = try FolderHosts(reading: root)
    } catch {
      printError("error: \(error)")
      return nil
    }
    var output = Output()
    for url in urls {
      guard let host = hostOfURL(url) ?? domain else {
        output.errors.append(
          "error: \(url) has no host, and \(root) is a folder of domains; write the whole URL, or "
            + "give --domain")
        continue
      }
      guard let files = hosts.entry(serving: host).flatMap({ ServedFiles($0, in: root) }) else {
        output.errors.append("error: \(root) has no file for \(host)")
        continue
      }
      guard try match(url, files, explaining: explaining, &output) else { return nil }
    }
    return output
  }

  /// Returns false if a file cannot be read.
  private func match(
    _ url: String, _ files: ServedFiles, explaining: Bool, _ output: inout Output
  ) throws(PatternsTooLarge) -> Bool {
    var android: AndroidMatching.Result?
    if let path = files.assetLinks {
      guard let matching = AndroidMatching(path) else { return false }
      android = matching.result(url)
    }
    guard let path = files.association else {
      guard let android else {
        output.errors.append("error: \(url) is not a URL")
        return true
      }
      output.add(
        url, android, apple: ["no association file"], rest: "", members: [], explaining: explaining)
      return true
    }
    guard let document = readAssociation(path) else { return false }
    let matching = try URLMatching(document, domain: nil, app: app)
    let result = try matching.results([url], explaining: explaining)
    output.errors += result.errors
    output.opens = output.opens || result.exitCode == 0
    output.hasFailed = output.hasFailed || result.exitCode == 2
    guard let android, result.errors.isEmpty else {
      output.text += result.text
      output.json.append(jsonObject(result.members))
      return true
    }
    let cells = result.outcomes.map { "\($0.app): \($0.outcome.rawValue)" }
    output.add(
      url, android, apple: cells.isEmpty ? ["no app"] : cells,
      rest: String(result.text.drop { $0 != "\n" }.dropFirst()), members: result.members,
      explaining: explaining)
    return true
  }
}

extension FolderMatching.Output {
  /// Adds the decisions for one URL, Apple's and Android's side by side, and then the reasons.
  fileprivate mutating func add(
    _ url: String, _ android: AndroidMatching.Result, apple: [String], rest: String,
    members: [(String, String?)], explaining: Bool
  ) {
    opens = opens || android.opens
    let left = ["iOS"] + apple.map(escapingControls)
    let right = ["Android 15 and later"] + android.cells.map(escapingControls)
    let width = left.map(\.count).max() ?? 0
    text += escapingControls(url) + "\n"
    for index in 0..<max(left.count, right.count) {
      let cell = index < left.count ? left[index] : ""
      let other = index < right.count ? right[index] : ""
      let space = String(repeating: " ", count: other.isEmpty ? 0 : width - cell.count + 3)
      text += "  \(cell)\(space)\(other)\n"
    }
    text += rest + android.text(explaining: explaining)
    json.append(jsonObject(members + [("android", android.json)]))
  }
}

/// The paths of one host's files; nil for those that it does not have.
struct ServedFiles {
  let association: String?
  let assetLinks: String?

  init?(_ entry: DomainFolder.Entry, in root: String) {
    let found = entry.assetLinksPath(in: root)
    let path = entry.associationPath(in: root)
    // Without Android's file a missing one is an error.
    association = path.flatMap { found != nil && (try? status($0)) == nil ? nil : $0 }
    assetLinks = found
    if association == nil && assetLinks == nil { return nil }
  }

  /// - Parameter list: An `assetlinks.json` alone; nil for a folder.
  init?(list: String) {
    guard (try? status(list))?.kind != .directory else { return nil }
    association = nil
    assetLinks = list
  }

  /// - Parameter folder: A host's folder, with files as on a web server; nil for another folder.
  init?(folder: String) {
    func path(_ name: String) -> String? {
      ["\(folder)/.well-known/\(name)", "\(folder)/\(name)"].first { (try? status($0)) != nil }
    }
    association = path(associationName)
    assetLinks = path("assetlinks.json")
    if association == nil && assetLinks == nil { return nil }
  }
}
