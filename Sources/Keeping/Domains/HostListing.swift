internal import Catalog
internal import Diagnostics
package import Posix
package import Settings

/// Finds out which entry of a domains folder serves a host, and where the entry's files are.
/// Command-line tools use this type. The type uses the server's own tables, so that the tools and
/// the server agree.
package struct HostListing: Sendable {
  private let entries: [DomainName: DomainFolder.Entry]
  private let catalog: Catalog
  private let lists: [HostsFile]
  private let observer: DomainObserver
  /// The errors that occurred when lists of hosts were read. If a list cannot be read, it is
  /// treated as empty.
  package let faults: [SystemError]

  /// Reads the names in a domains folder, and the lists of hosts in it.
  package init(reading root: String) throws(SystemError) {
    observer = DomainObserver(root: root)
    entries = try DomainListing(root).folder.entries
    var sites: [Site] = []
    var lists: [(site: Int, file: HostsFile)] = []
    var faults: [SystemError] = []
    for entry in entries.values {
      if let name = entry.hostsFile {
        let path = root + "/" + name
        do throws(SystemError) {
          let bytes = try readFile(path, limit: HostsFile.largestFile)
          lists.append((sites.count, HostsFile(SourceText(path: path, bytes: bytes))))
        } catch {
          faults.append(error)
        }
      }
      sites.append(Site(name: entry.name, answers: []))
    }
    lists.sort { $0.file.path < $1.file.path }
    self.lists = lists.map(\.file)
    catalog = Catalog(
      sites: sites, hosts: lists.map { ($0.site, $0.file.hosts) }, material: nil)
    self.faults = faults
  }

  /// The entry whose own name equals `name`.
  package subscript(name: DomainName) -> DomainFolder.Entry? { entries[name] }

  /// Returns the entry that serves a host: the host's own entry, an entry whose list contains the
  /// host, the nearest wildcard above the host, or the default entry.
  package func entry(serving host: String) -> DomainFolder.Entry? {
    catalog.site(for: host).flatMap { entries[$0.name] }
  }

  /// Returns the paths of the lists that contain a host.
  package func lists(naming host: DomainName) -> [String] {
    lists.filter { $0.hosts.contains(host) }.map(\.path)
  }

  /// Returns the paths of those files of an entry that devices request; nil if the entry has no
  /// such files.
  package func files(of entry: DomainFolder.Entry) -> ServedPaths? { ServedPaths(entry, observer) }
}

/// The paths of a host's files. A path is nil if the host does not have the file.
package struct ServedPaths: Sendable {
  package let association: String?
  package let assetLinks: String?

  fileprivate init?(_ entry: DomainFolder.Entry, _ observer: DomainObserver) {
    func first(_ number: Int) -> (found: String?, usual: String?) {
      let paths = observer.paths(of: entry, number)
      return (paths.first { !isMissing($0) }, paths.first)
    }
    let list = first(WellKnownFiles.assetLinks).found
    let file = first(WellKnownFiles.association)
    // If the entry has no files, use the usual path of its association file, so that reports can
    // show a path.
    association = file.found ?? (list == nil ? file.usual : nil)
    assetLinks = list
    if association == nil && assetLinks == nil { return nil }
  }

  /// Finds the files of one host in any folder, such as a web root. Returns nil if the folder
  /// contains no file to serve.
  package init?(folder path: String) {
    var entry = DomainFolder.Entry(name: .any)
    _ = entry.add(path, as: .folder)
    guard let files = ServedPaths(entry, DomainObserver(root: "")) else { return nil }
    association = files.association.flatMap { isMissing($0) ? nil : $0 }
    assetLinks = files.assetLinks
    if association == nil && assetLinks == nil { return nil }
  }

  /// Makes the paths of a host that has only `assetlinks.json`.
  package init(assetLinks path: String) {
    association = nil
    assetLinks = path
  }
}
