package import Diagnostics
internal import Posix

/// The names in the domains folder, put together to entries: one for each set of hosts.
///
/// This is the whole of the naming rules, without a file being opened.
package struct DomainFolder: Sendable {
  /// What makes one entry: at most one file and one folder, and at most one asset links file.
  package struct Entry: Sendable, Equatable {
    package let name: DomainName
    /// The name of `HOST.json`.
    package var file: String?
    /// The name of the folder `HOST/`.
    package var folder: String?
    /// The name of `HOST.assetlinks.json`.
    package var assetLinksFile: String?

    /// The names in the folder that make it.
    var names: [String] { [file, folder, assetLinksFile].compactMap(\.self) }
  }

  package private(set) var entries: [DomainName: Entry] = [:]
  /// The names of files that hold expectations.
  private(set) var cases: Set<String> = []
  /// What is wrong with the names, told anew by each reading of the folder.
  package private(set) var diagnostics: [Diagnostic] = []

  /// - Parameter names: what is in the folder; `isDirectory` is true for links to directories too.
  package init(path: String, names: [(name: String, isDirectory: Bool)]) {
    entries.reserveCapacity(names.count)
    for (name, isDirectory) in names {
      switch Self.classify(name, isDirectory: isDirectory) {
      case .skipped: break
      case .unknown(let help):
        diagnostics.append(
          Diagnostic(
            .warning, code: "H004", "this is no entry, so nothing is served from it",
            at: .init(path: path + "/" + name), help: help))
      case .part(let domain, let part):
        add(name, as: part, of: domain, path: path)
      }
    }
    if diagnostics.count > 1 {
      diagnostics.sort { ($0.location?.path ?? "") < ($1.location?.path ?? "") }
    }
  }

  /// The part of an entry that a name is.
  enum Part: Sendable, Equatable {
    case file, folder, assetLinks
    /// `HOST.cases`: makes no entry of its own, but a change of it concerns the host's.
    case cases
  }

  enum Classified: Sendable, Equatable {
    case part(DomainName, Part)
    /// Not ours, and no mistake either.
    case skipped
    /// Probably a mistake; the text tells how to mend it.
    case unknown(help: String)
  }

  /// What a name in the folder means.
  static func classify(_ name: String, isDirectory: Bool) -> Classified {
    if name.utf8.first == UInt8(ascii: ".") || name == "lost+found" { return .skipped }
    if isDirectory {
      return DomainName(entryName: name).map { .part($0, .folder) }
        ?? .unknown(
          help: "name the folder after its host, for example example.com/" + idnHint(name))
    }
    if let stem = stem(of: name, without: ".assetlinks.json") {
      return DomainName(entryName: stem).map { .part($0, .assetLinks) }
        ?? .unknown(help: fileHelp(name))
    }
    if let stem = stem(of: name, without: ".json") {
      return DomainName(entryName: stem).map { .part($0, .file) } ?? .unknown(help: fileHelp(name))
    }
    if let stem = stem(of: name, without: ".cases") {
      return DomainName(entryName: stem).map { .part($0, .cases) } ?? .skipped
    }
    let lower = name.lowercased()
    if lower.hasPrefix("readme") || lower.hasPrefix("license")
      || lower.hasSuffix("~") || lower.hasSuffix(".swp") || lower.hasSuffix(".tmp")
    {
      return .skipped
    }
    return .unknown(help: fileHelp(name))
  }

  private static func fileHelp(_ name: String) -> String {
    if name == "apple-app-site-association" || name == "assetlinks.json" {
      return "put it into a folder named after its host, for example example.com/\(name)"
    }
    if DomainName(entryName: name) != nil && name.contains(".") {
      return "if it is the association file of \(name), name it \(name).json"
    }
    return "name the file after its host, for example example.com.json" + idnHint(name)
  }

  private static func idnHint(_ name: String) -> String {
    name.utf8.contains { $0 >= 0x80 }
      ? "; write an international name in its ASCII form, xn--…" : ""
  }

  /// `suffix` is ASCII in lower case; in the name case does not count.
  private static func stem(of name: String, without suffix: String) -> String? {
    guard name.utf8.count >= suffix.utf8.count else { return nil }
    for (byte, expected) in zip(name.utf8.suffix(suffix.utf8.count), suffix.utf8)
    where byte != expected {
      if byte &- 0x41 >= 26 || byte | 0x20 != expected { return nil }
    }
    return String(name.utf8.dropLast(suffix.utf8.count))
  }

  private mutating func add(_ name: String, as part: Part, of domain: DomainName, path: String) {
    if part == .cases {
      cases.insert(name)
      return
    }
    let unused: String?
    switch part {
    case .file: unused = Self.choose(name, over: &entries[domain, default: Entry(name: domain)].file)
    case .folder:
      unused = Self.choose(name, over: &entries[domain, default: Entry(name: domain)].folder)
    case .assetLinks:
      unused = Self.choose(
        name, over: &entries[domain, default: Entry(name: domain)].assetLinksFile)
    case .cases: return
    }
    guard let unused else { return }
    let used = unused == name ? entries[domain]?.name(of: part) : name
    diagnostics.append(
      Diagnostic(
        .warning, code: "H005",
        "\(domain) has another entry, \(used ?? name), which is used instead",
        at: .init(path: path + "/" + unused), help: "remove one of the two"))
  }

  /// Of two names the first in the order of texts counts. Returns the other one.
  private static func choose(_ name: String, over other: inout String?) -> String? {
    guard let before = other else {
      other = name
      return nil
    }
    if before < name { return name }
    other = name
    return before
  }
}

extension DomainFolder.Entry {
  fileprivate func name(of part: DomainFolder.Part) -> String? {
    switch part {
    case .file: file
    case .folder: folder
    case .assetLinks: assetLinksFile
    case .cases: nil
    }
  }
}
