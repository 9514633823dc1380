internal import Diagnostics
internal import Hosting
internal import Posix

extension DomainFolder {
  /// Reads the names of a folder.
  init(reading path: String) throws(SystemError) {
    let names = try listDirectory(path).map { name in
      (name: name, isDirectory: (try? status(path + "/" + name))?.kind == .directory)
    }
    self.init(path: path, names: names)
  }

  /// The entry that serves a host: its own, the nearest wildcard above it, or the default.
  func entry(serving host: String) -> Entry? { Self.entry(serving: host, entries) }

  /// The same, with the lists of hosts in the folder.
  func entry(serving host: String, readingListsIn root: String) -> Entry? {
    var all = entries
    for entry in entries.values {
      guard let path = entry.hostsFile.map({ root + "/" + $0 }),
        let bytes = try? readFile(path, limit: HostsList.largestFile)
      else { continue }
      // A host's own entry wins over a list.
      for name in HostsList(SourceText(path: path, bytes: bytes)).hosts where all[name] == nil {
        all[name] = entry
      }
    }
    return Self.entry(serving: host, all)
  }

  private static func entry(serving host: String, _ entries: [DomainName: Entry]) -> Entry? {
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
