internal import Bytes
internal import Diagnostics
internal import Keeping
internal import Settings

/// Names as they may lie in the domains folder and in the certificates folder, one in each line;
/// those that end in a slash are folders.
///
/// The results refer to existing names, each to its own, in whatever order the names come.
@Sendable func fuzzFolders(_ bytes: [UInt8]) {
  var names: [(path: String, isDirectory: Bool)] = []
  for line in bytes.split(separator: 0x0A).prefix(200) {
    let isDirectory = line.last == UInt8(ascii: "/")
    let name = String(decoding: isDirectory ? line.dropLast() : line, as: UTF8.self)
    // In a folder each name is there once, and no name is empty or has NUL in it.
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.contains(where: \.isEmpty) || name.utf8.contains(0)
      || names.contains(where: { $0.path == name })
    {
      continue
    }
    names.append((name, isDirectory))
  }
  checkCertificates(names)
  checkDomains(names.filter { !$0.path.utf8.contains(UInt8(ascii: "/")) })
}

private func checkCertificates(_ names: [(path: String, isDirectory: Bool)]) {
  let folder = CertificateFolder(root: "certificates", paths: names)
  precondition(folder == CertificateFolder(root: "certificates", paths: names.reversed()))
  var used: Set<String> = []
  for entry in folder.entries {
    for file in entry.files {
      precondition(names.contains { $0.path == file && !$0.isDirectory }, file)
      precondition(used.insert(file).inserted, "\(file) belongs to one entry")
    }
  }
  for diagnostic in folder.diagnostics { precondition(isOneLine(diagnostic.line)) }
  let siblings = Set(names.filter(\.isDirectory).map(\.path))
  for name in siblings where name.utf8.first == UInt8(ascii: ".") {
    precondition(!CertificateFolder.isSearched(name, siblings: siblings) || name.contains("/"))
  }
}

private func checkDomains(_ names: [(path: String, isDirectory: Bool)]) {
  let folder = DomainFolder(path: "domains", names: names.map { ($0.path, $0.isDirectory) })
  let other = DomainFolder(
    path: "domains", names: names.reversed().map { ($0.path, $0.isDirectory) })
  precondition(folder.entries == other.entries)
  var used: Set<String> = []
  for (name, entry) in folder.entries {
    switch name {
    case .host(let host), .wildcard(let host): precondition(isHostName(host))
    case .any: break
    }
    let files = [entry.file, entry.assetLinksFile, entry.casesFile, entry.hostsFile]
      .compactMap(\.self)
    // A directory in the place of a file is a file that cannot be read.
    for file in files { precondition(names.contains { $0.path == file }, file) }
    if let directory = entry.folder {
      precondition(names.contains { $0.path == directory && $0.isDirectory }, directory)
    }
    for part in files + [entry.folder].compactMap(\.self) {
      precondition(used.insert(part).inserted, "\(part) belongs to one entry")
    }
  }
  for diagnostic in folder.diagnostics { precondition(isOneLine(diagnostic.line)) }
}
