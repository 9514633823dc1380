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

    /// Returns the usual name of a domain's file or folder of this kind, for example
    /// `example.com.json`.
    func usualName(of domain: DomainName) -> String { domain.entryName + suffix }

    var suffix: String {
      switch self {
      case .file: ".json"
      case .folder: ""
      case .assetLinks: ".assetlinks.json"
      case .cases: ".cases"
      case .hosts: ".hosts"
      case .page: ".page.html"
      }
    }
  }

  /// The names in the domains folder that belong to one domain. Of each kind of file or folder,
  /// there is at most one name.
  package struct Entry: Sendable, Equatable {
    package let name: DomainName
    /// The parts that exist. Each bit represents one part.
    private var parts: UInt8 = 0
    /// The names of the parts that have an unusual name.
    private var spellings: [Part: String] = [:]

    init(name: DomainName) { self.name = name }

    /// The name of the file `HOST.json`; nil if the entry has no such file.
    package var file: String? { name(of: .file) }
    /// The name of the folder `HOST/`; nil if the entry has no such folder.
    package var folder: String? { name(of: .folder) }
    /// The name of the file `HOST.assetlinks.json`; nil if the entry has no such file.
    package var assetLinksFile: String? { name(of: .assetLinks) }
    /// The name of the file `HOST.cases`; nil if the entry has no such file.
    package var casesFile: String? { name(of: .cases) }
    /// The name of the file `HOST.hosts`; nil if the entry has no such file.
    package var hostsFile: String? { name(of: .hosts) }
    /// The name of the file `HOST.page.html`; nil if the entry has no such file.
    var pageFile: String? { name(of: .page) }

    /// Whether the entry has a file to serve. Expectations and lists of hosts are not served.
    var servesFiles: Bool { has(.file) || has(.folder) || has(.assetLinks) }

    /// Whether the entry has a list of hosts, but no file that could be served for these hosts.
    var lacksFile: Bool { has(.hosts) && !servesFiles }

    private func has(_ part: Part) -> Bool { parts & 1 << part.rawValue != 0 }

    func name(of part: Part) -> String? {
      has(part) ? spellings[part] ?? part.usualName(of: name) : nil
    }

    /// Adds a name. If two names belong to the same part, uses the usual name, or else the name
    /// that sorts first. In this case, returns both names; otherwise returns nil.
    mutating func add(_ text: String, as part: Part) -> (used: String, unused: String)? {
      let usual = part.usualName(of: name)
      guard let before = name(of: part) else {
        set(part, to: text, usual: usual)
        return nil
      }
      let isBetter = text == usual || before != usual && text < before
      if isBetter { set(part, to: text, usual: usual) }
      return isBetter ? (text, before) : (before, text)
    }

    private mutating func set(_ part: Part, to text: String, usual: String) {
      parts |= 1 << part.rawValue
      spellings[part] = text == usual ? nil : text
    }
  }
}
