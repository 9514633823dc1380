package import Diagnostics
package import Settings

/// Groups the names in the domains folder into one entry for each domain.
///
/// This type looks only at the names, and opens no file.
package struct DomainFolder: Sendable {
  package private(set) var entries: [DomainName: Entry] = [:]
  /// The entries with a list of hosts but no file to serve.
  private(set) var lists: [DomainName: Entry] = [:]
  /// The diagnostics about names in the domains folder.
  package private(set) var diagnostics: [Diagnostic] = []

  /// - Parameter names: The names in the folder. `isDirectory` is also true for links to
  ///   directories.
  package init(path: String, names: [(name: String, isDirectory: Bool)]) {
    entries.reserveCapacity(names.count)
    for (name, isDirectory) in names {
      switch NameClass(name, isDirectory: isDirectory) {
      case .ignored: break
      case .unknown(let help):
        diagnostics.append(
          Diagnostic(
            .nameNotOfAHost,
            "no host can have this name, so nothing is served from this file or folder",
            at: .init(path: path + "/" + name), help: help))
      case .part(let part, let domain):
        guard let pair = entries[domain, default: Entry(name: domain)].add(name, as: part) else {
          continue
        }
        diagnostics.append(
          Diagnostic(
            .twoEntriesForHost, "\(pair.used) is used for \(domain) instead of this file or folder",
            at: .init(path: path + "/" + pair.unused)))
      }
    }
    removeIncomplete(path)
    if diagnostics.count > 1 {
      diagnostics.sort { ($0.location?.path ?? "") < ($1.location?.path ?? "") }
    }
  }

  /// Removes entries that have no file to serve, but only expectations, a list of hosts or a page.
  private mutating func removeIncomplete(_ path: String) {
    for (name, entry) in entries where !entry.servesFiles {
      entries[name] = nil
      if let page = entry.pageFile {
        diagnostics.append(
          Diagnostic(
            .pagePlace, "the page is not served, because no association file is beside the page",
            at: .init(path: path + "/" + page),
            help: "put \(name.entryName).json beside this file, or remove this file"))
      }
      // If an entry has only expectations, do not report it, because the user may have written the
      // expectations for `aasa test`.
      guard let hosts = entry.hostsFile else { continue }
      lists[name] = entry
      diagnostics.append(
        Diagnostic(
          .hostsWithoutFile, "there is no file to serve for the hosts in this list",
          at: .init(path: path + "/" + hosts),
          help: "put \(name.entryName).json beside this file, or remove this file"))
    }
  }

  /// The role of a name in the domains folder.
  enum Part: UInt8, Sendable, CaseIterable {
    case file, folder, assetLinks
    /// `HOST.cases`: expectations that the entry's files must meet.
    case cases
    /// `HOST.hosts`: further hosts for which the entry's files are served.
    case hosts
    /// `HOST.page.html`: the page for people without the app.
    case page
  }
}
