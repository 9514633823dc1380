internal import Diagnostics
internal import Keeping
internal import Posix
internal import Settings

extension DomainFolder {
  /// Reads the names of a folder.
  init(reading path: String) throws(SystemError) {
    let names = try listDirectory(path).map { name in
      (name: name, isDirectory: (try? status(path + "/" + name))?.kind == .directory)
    }
    self.init(path: path, names: names)
  }
}

/// The hosts of a folder of domains, those in its lists (`NAME.hosts`) included.
struct FolderHosts {
  let folder: DomainFolder
  private var entries: [DomainName: DomainFolder.Entry]

  /// Reads the names of a folder, and its lists of hosts. A list that cannot be read is reported.
  init(reading root: String) throws(SystemError) {
    folder = try DomainFolder(reading: root)
    entries = folder.entries
    // As when serving: a host's own entry wins over a list, and the first list over the others.
    let lists = folder.entries.values.compactMap { entry in entry.hostsFile.map { ($0, entry) } }
    for (name, entry) in lists.sorted(by: { $0.0 < $1.0 }) {
      let path = root + "/" + name
      do throws(SystemError) {
        let bytes = try readFile(path, limit: HostsList.largestFile)
        for host in HostsList(SourceText(path: path, bytes: bytes)).hosts
        where entries[host] == nil { entries[host] = entry }
      } catch {
        printError("warning: \(error)")
      }
    }
  }

  /// The entry that serves a host: its own, the nearest wildcard above it, or the default.
  func entry(serving host: String) -> DomainFolder.Entry? {
    if let entry = entries[.host(host)] { return entry }
    var labels = host.split(separator: ".", omittingEmptySubsequences: false)[...]
    while !labels.isEmpty {
      if let entry = entries[.wildcard(labels.joined(separator: "."))] { return entry }
      labels = labels.dropFirst()
    }
    return entries[.any]
  }
}

extension DomainFolder.Entry {
  /// The paths at which the server looks for its association file.
  func associationPath(in root: String) -> String? {
    var paths = file.map { ["\(root)/\($0)"] } ?? []
    if let folder {
      paths += ["/.well-known", ""].map { "\(root)/\(folder)\($0)/apple-app-site-association" }
    }
    return paths.first { (try? status($0)) != nil } ?? paths.first
  }

  /// The path of its `assetlinks.json`; nil if it has none.
  func assetLinksPath(in root: String) -> String? {
    var paths = assetLinksFile.map { ["\(root)/\($0)"] } ?? []
    if let folder {
      paths += ["/.well-known", ""].map { "\(root)/\(folder)\($0)/assetlinks.json" }
    }
    return paths.first { (try? status($0)) != nil }
  }
}
