internal import Settings

/// What a name in the domains folder means to the server.
enum NameClass: Sendable, Equatable {
  case part(DomainFolder.Part, DomainName)
  /// A name that the server ignores, and that is not a mistake.
  case ignored
  /// A name that is probably a mistake. The help says how to fix it.
  case unknown(help: String)

  init(_ name: String, isDirectory: Bool) {
    if isIgnored(name) {
      self = .ignored
    } else if let (part, stem) = Self.file(name) {
      self = Self.part(part, stem: stem, name)
    } else if isDirectory {
      self = Self.part(.folder, stem: name, name)
    } else {
      let lower = name.lowercased()
      let isOther = ["readme", "license"].contains { lower.hasPrefix($0) } || isOfEditor(lower)
      self = isOther ? .ignored : .unknown(help: help(for: name, .file))
    }
  }

  /// Returns what a file with this name contains, and the name without its file extension. Returns
  /// nil if the domains folder has no such file extension. A directory with such a name is treated
  /// as an unreadable file.
  static func file(_ name: String) -> (part: DomainFolder.Part, stem: String)? {
    // `.assetlinks.json` also ends with `.json`, so look for it first.
    for part in [DomainFolder.Part.assetLinks, .file, .cases, .hosts, .page] {
      if let stem = stem(of: name, without: part.suffix) { return (part, stem) }
    }
    return nil
  }

  private static func part(
    _ part: DomainFolder.Part, stem text: String, _ name: String
  ) -> NameClass {
    if part == .cases {
      if let wrong = stem(of: text, without: ".json") {
        return .unknown(
          help: "expectations of \(wrong).json belong in \(wrong).cases: rename this file")
      }
      return DomainName(entryName: text).map { .part(.cases, $0) } ?? .ignored
    }
    guard let domain = DomainName(entryName: text), !isNoHost(domain.entryName) else {
      return .unknown(help: help(for: name, part))
    }
    return .part(part, domain)
  }
}

/// Whether the server ignores a name in the domains folder or in a certificates folder.
func isIgnored(_ name: String) -> Bool {
  name.utf8.first == UInt8(ascii: ".") || name == "lost+found"
}

/// Whether a name in lower case belongs to a file of an editor, such as a swap file or a backup.
func isOfEditor(_ lower: String) -> Bool {
  ["~", ".swp", ".tmp", "___jb_tmp___", "___jb_old___"].contains { lower.hasSuffix($0) }
    || lower.hasPrefix("#") && lower.hasSuffix("#")
}

/// Names of the association files, which belong in a host's folder.
private let protocolFiles = [
  "apple-app-site-association", "apple-app-site-association.json", "assetlinks", "assetlinks.json",
]

/// File extensions that are not top-level domains.
private let fileEndings = [
  ".json", ".txt", ".bak", ".old", ".orig", ".tmp", ".html", ".htm", ".conf", ".yaml", ".yml",
  ".crt", ".pem", ".key", ".log",
]

/// Whether a name in lower case looks like a host, but cannot be the name of a host.
private func isNoHost(_ stem: String) -> Bool {
  if protocolFiles.contains(stem) { return true }
  return ending(of: stem).map(fileEndings.contains) ?? false
}

/// Returns the extension of a name, including the dot; nil if there is no dot.
private func ending(of name: String) -> String? {
  name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[$0...]) }
}

private func help(for name: String, _ part: DomainFolder.Part) -> String {
  let lower = name.lowercased()
  if protocolFiles.contains(lower) || protocolFiles.contains(where: { lower == $0 + ".json" }) {
    let file = lower.hasPrefix("assetlinks") ? "assetlinks.json" : "apple-app-site-association"
    return "put this file into a folder named after its host, for example example.com/\(file), or "
      + "name this file after its host: example.com"
      + (lower.hasPrefix("assetlinks") ? ".assetlinks.json" : ".json")
  }
  let stem = withoutEndings(lower)
  if part != .folder, let page = helpForPage(lower, stem) { return page }
  if stem.contains("."), let domain = DomainName(entryName: stem) {
    return "if this file is the association file of \(domain), name it \(domain.entryName).json"
  }
  let isInternational = name.utf8.contains { $0 >= 0x80 }
  return
    (part == .folder
    ? "name the folder after its host, for example example.com/"
    : "name the file after its host, for example example.com\(part.suffix)")
    + (isInternational ? "; write an international name in its ASCII form, xn--…" : "")
}

private func withoutEndings(_ name: String) -> String {
  var stem = name
  while let ending = ending(of: stem), fileEndings.contains(ending) {
    stem = String(stem.dropLast(ending.count))
  }
  return stem
}

/// Returns help for the name of a file that was probably meant to be a page; nil if the name does
/// not end in `.html` or `.htm`.
private func helpForPage(_ name: String, _ stem: String) -> String? {
  guard [".html", ".htm"].contains(ending(of: name)) else { return nil }
  let host = stem.hasSuffix(".page") ? String(stem.dropLast(".page".count)) : stem
  guard host.contains("."), let domain = DomainName(entryName: withoutEndings(host)) else {
    return "for the host example.com, name the page example.com.page.html, or put page.html into "
      + "the folder example.com"
  }
  return "if this file is the page for people without the app, name it "
    + "\(domain.entryName).page.html; if this file is the association file, name it "
    + "\(domain.entryName).json"
}

/// Returns a name without its suffix. Returns nil if the name does not end with the suffix, or if
/// it consists only of the suffix. Ignores the letter case of the name.
///
/// - Parameter suffix: An ASCII suffix in lower case.
private func stem(of name: String, without suffix: String) -> String? {
  let name = name.utf8
  guard name.count > suffix.utf8.count else { return nil }
  var end = name.endIndex
  for expected in suffix.utf8.reversed() {
    end = name.index(before: end)
    let byte = name[end]
    if byte != expected, byte &- 0x41 >= 26 || byte | 0x20 != expected { return nil }
  }
  return String(name[..<end])
}
