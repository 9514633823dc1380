package import Diagnostics

/// The names in the certificates folder and the folders in it, put together to certificates: a
/// chain and the key that belongs to it.
///
/// This is the whole of the naming rules, without a file being opened.
package struct CertificateFolder: Sendable, Equatable {
  /// A chain and its key. Paths are relative to the certificates folder.
  package struct Entry: Sendable, Equatable {
    /// What the setting for the default certificate refers to: the name of the files without their
    /// ending, or of the folder that Kubernetes or certbot filled.
    package let name: String
    package let chain: String
    /// Nil when the key is expected in the same file.
    package let key: String?

    package init(name: String, chain: String, key: String?) {
      self.name = name
      self.chain = chain
      self.key = key
    }

    /// The files it is made from.
    package var files: [String] { [chain, key].compactMap(\.self) }

    /// The first part of its path: a name in the certificates folder itself.
    var topName: String { String(chain.prefix { $0 != "/" }) }
  }

  /// In the order of their paths.
  package private(set) var entries: [Entry] = []
  package private(set) var diagnostics: [Diagnostic] = []

  /// How deep folders are searched: `NAME/live/DOMAIN/` is a certbot folder mounted as a whole.
  package static let depth = 3

  /// - Parameters:
  ///   - root: the certificates folder, for diagnostics and the name of what lies in it directly.
  ///   - paths: everything found in it, relative; `isDirectory` is true for links to directories.
  package init(root: String, paths: [(path: String, isDirectory: Bool)]) {
    var files: [String: [String]] = [:]
    for (path, isDirectory) in paths where !isDirectory {
      let (folder, name) = split(path)
      files[folder, default: []].append(name)
    }
    for (folder, names) in files.sorted(by: { $0.key < $1.key }) {
      var reading = FolderReading(root: root, folder: folder, names: Set(names))
      reading.run()
      entries += reading.entries
      diagnostics += reading.diagnostics
    }
  }

  /// Whether a folder found at `path` is to be searched.
  ///
  /// - Parameter siblings: the names of the folders beside it, itself included.
  package static func isSearched(_ path: String, siblings: Set<String>) -> Bool {
    let name = split(path).name
    if name.hasPrefix(".") || name == "lost+found" { return false }
    // Beside certbot's `live` lie all certificates that have been, and no current one.
    if siblings.contains("live") && siblings.contains("archive") { return name == "live" }
    return path.utf8.count { $0 == UInt8(ascii: "/") } < depth
  }
}

/// The folder and the name of a relative path; the folder is empty when there is none.
private func split(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
  return (String(path[..<slash]), String(path[path.index(after: slash)...]))
}

/// The search of one folder. Each step takes away the names that it has explained.
private struct FolderReading {
  let root: String
  let folder: String
  var names: Set<String>
  var entries: [CertificateFolder.Entry] = []
  var diagnostics: [Diagnostic] = []

  init(root: String, folder: String, names: Set<String>) {
    self.root = root
    self.folder = folder
    self.names = names
  }

  mutating func run() {
    names = names.filter { $0.utf8.first != UInt8(ascii: ".") && $0.utf8.last != UInt8(ascii: "~") }
    // A Kubernetes TLS secret; `ca.crt` is there for clients.
    takeSet(chain: "tls.crt", key: "tls.key", others: ["ca.crt"])
    // A certbot folder; `cert.pem` and `chain.pem` are the halves of `fullchain.pem`.
    takeSet(chain: "fullchain.pem", key: "privkey.pem", others: ["cert.pem", "chain.pem"])
    takePairs()
    tellOfTheRest()
  }

  private mutating func takeSet(chain: String, key: String, others: [String]) {
    guard names.remove(chain) != nil else { return }
    let hasKey = names.remove(key) != nil
    names.subtract(others)
    let name = split(folder.isEmpty ? root : folder).name
    entries.append(.init(name: name, chain: path(chain), key: hasKey ? path(key) : nil))
  }

  /// `NAME.crt` or `NAME.pem`, with the key in `NAME.key` (or `NAME-key.pem`, as mkcert names it) or
  /// in the same file.
  private mutating func takePairs() {
    var chains: [String: [String]] = [:]
    var keys: [String: [String]] = [:]
    for name in names {
      switch usualEnding(name) {
      case .chain: chains[stem(name), default: []].append(name)
      case .key: keys[stem(name), default: []].append(name)
      case nil: break
      }
    }
    for (name, found) in chains.sorted(by: { $0.key < $1.key }) {
      // Compared by bytes: `hasSuffix` walks characters, which shows with very many names.
      if name.utf8.suffix(4).elementsEqual("-key".utf8), chains[String(name.dropLast(4))] != nil {
        continue
      }
      let key = keys[name]?.min() ?? chains[name + "-key"]?.min()
      names.subtract(found)
      if let key { names.remove(key) }
      // With a key beside them, `.crt` is the usual name; without, only a combined file has one,
      // and that is usually called `.pem`.
      let preferred = key == nil ? "pem" : "crt"
      let sorted = found.sorted()
      let chosen = sorted.first { ending($0) == preferred } ?? sorted[0]
      entries.append(.init(name: name, chain: path(chosen), key: key.map(path)))
      for other in sorted where other != chosen {
        report(
          "T030", other, "this file and \(chosen) both stand for \(name); only \(chosen) is read",
          help: "remove one of them, or give it another name and a key of its own")
      }
    }
  }

  private mutating func tellOfTheRest() {
    for name in names.sorted() {
      switch ending(name) {
      case "key":
        report(
          "T031", name, "there is no certificate for this key",
          help: "put the chain beside it as \(stem(name)).crt")
      case "cer", "cert", "der", "p7b", "p12", "pfx", "jks":
        report(
          "T032", name,
          "this file is not read: a chain is PEM text in a file that ends in .crt or .pem",
          help: ["cer", "cert"].contains(ending(name))
            ? "if it is PEM text, rename it to \(stem(name)).crt"
            : "convert it with openssl, for example "
              + "\"openssl pkcs12 -in \(name) -nodes -out \(stem(name)).pem\"")
      default:
        // README files, requests, editors' files: nobody expects them to be served.
        break
      }
    }
  }

  private func path(_ name: String) -> String { folder.isEmpty ? name : folder + "/" + name }

  private mutating func report(_ code: String, _ name: String, _ message: String, help: String) {
    diagnostics.append(
      Diagnostic(
        .warning, code: code, message, at: .init(path: root + "/" + path(name)), help: help))
  }
}

private enum UsualEnding { case chain, key }

/// What a name is by its ending, when that is one of the three that nearly all have: without a text
/// being made, for there may be very many names.
private func usualEnding(_ name: String) -> UsualEnding? {
  var bytes = name.utf8.reversed().makeIterator()
  var word: UInt32 = 0
  for shift: UInt32 in [0, 8, 16, 24] {
    guard let byte = bytes.next() else { return nil }
    word |= UInt32(byte) << shift
  }
  // Something must stand before the dot.
  if bytes.next() == nil { return nil }
  // In lower case; a dot stays one.
  switch word | 0x0020_2020 {
  case 0x2E63_7274, 0x2E70_656D: return .chain  // .crt .pem
  case 0x2E6B_6579: return .key  // .key
  default: return nil
  }
}

/// What follows the last dot, in lower case; empty when nothing stands before it.
private func ending(_ name: String) -> String {
  guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
    return ""
  }
  return name[name.utf8.index(after: dot)...].lowercased()
}

/// What stands before the last dot.
private func stem(_ name: String) -> String {
  name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[..<$0]) } ?? name
}
