package import Settings

extension DomainFolder {
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

extension DomainFolder.Part {
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
