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
    package var files: [String] { key.map { [chain, $0] } ?? [chain] }

    /// The first part of its path: a name in the certificates folder itself.
    var topName: String { String(chain.prefix { $0 != "/" }) }
  }

  /// In the order of their chains' paths, byte by byte.
  package let entries: CertificateEntries
  package private(set) var diagnostics: [Diagnostic] = []
  /// Whether a file that is called as a chain or a key is of no entry.
  let hasUnusedFiles: Bool

  /// How deep folders are searched: `NAME/live/DOMAIN/` is a certbot folder mounted as a whole.
  package static let depth = 3

  /// - Parameters:
  ///   - root: the certificates folder, for diagnostics and the name of what lies in it directly.
  ///   - paths: everything found in it, relative; `isDirectory` is true for links to directories.
  package init(root: String, paths: [(path: String, isDirectory: Bool)]) {
    let names = FoundNames(root: root, paths: paths)
    var found: [CertificateEntries.Found] = []
    var start = 0
    while start < names.files.count {
      let end = names.endOfFolder(from: start)
      var reading = FolderReading(root: root, all: names, range: start..<end)
      reading.run()
      found += reading.entries
      diagnostics += reading.diagnostics
      start = end
    }
    entries = CertificateEntries(found, in: names.text)
    let used = found.reduce(0) { $0 + ($1.key == nil ? 1 : 2) }
    hasUnusedFiles = names.files.count { $0.kind != nil } > used
  }

  /// Whether a folder found at `path` is to be searched.
  ///
  /// - Parameter siblings: the names of the folders beside it, itself included.
  package static func isSearched(_ path: String, siblings: Set<String>) -> Bool {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
      String(path[path.utf8.index(after: $0)...])
    }
    return isSearched(path, name: name ?? path, siblings: siblings)
  }

  private static func isSearched(_ path: String, name: String, siblings: Set<String>) -> Bool {
    if name.hasPrefix(".") || name == "lost+found" { return false }
    // Beside certbot's `live` lie all certificates that have been, and no current one.
    if siblings.contains("live") && siblings.contains("archive") { return name == "live" }
    return path.utf8.count { $0 == UInt8(ascii: "/") } < depth
  }
}

/// The search of one folder. Each step takes away the names that it has explained.
private struct FolderReading {
  private let root: String
  private let all: FoundNames
  private let range: Range<Int>
  /// Of the names in the range.
  private var isTaken: [Bool]
  private(set) var entries: [CertificateEntries.Found] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(root: String, all: FoundNames, range: Range<Int>) {
    self.root = root
    self.all = all
    self.range = range
    isTaken = Array(repeating: false, count: range.count)
  }

  mutating func run() {
    // A Kubernetes TLS secret; `ca.crt` is there for clients.
    takeSet(chain: "tls.crt", key: "tls.key", others: ["ca.crt"])
    // A certbot folder; `cert.pem` and `chain.pem` are the halves of `fullchain.pem`.
    takeSet(chain: "fullchain.pem", key: "privkey.pem", others: ["cert.pem", "chain.pem"])
    takePairs()
    tellOfTheRest()
  }

  private mutating func takeSet(chain: String, key: String, others: [String]) {
    guard let chain = take(chain) else { return }
    let key = take(key)
    for other in others { _ = take(other) }
    entries.append(
      .init(
        chain: all.files[chain].path, key: key.map { all.files[$0].path },
        name: all.nameOfFolder(of: chain)))
  }

  /// Where the file of this name is, if it is there and not yet taken.
  private mutating func take(_ name: String) -> Int? {
    guard let index = range.first(where: { !isTaken(at: $0) && all.isNamed(name, $0) }) else {
      return nil
    }
    takeAway(index)
    return index
  }

  private func isTaken(at index: Int) -> Bool { isTaken[index - range.lowerBound] }
  private mutating func takeAway(_ index: Int) { isTaken[index - range.lowerBound] = true }

  /// `NAME.crt` or `NAME.pem`, with the key in `NAME.key` (or `NAME-key.pem`, as mkcert names it) or
  /// in the same file.
  private mutating func takePairs() {
    // The sets are no pairs; keys taken here still are.
    let isOfSet = isTaken
    let usual = range.filter { all.files[$0].kind != nil && !isOfSet[$0 - range.lowerBound] }
    let stems = Stems(all, usual)
    for group in stems.groups {
      let chains = group.filter { all.files[$0].kind == .chain }
      guard let first = chains.first else { continue }
      if all.hasMkcertEnding(first), stems.chain(of: Array(all.stem(of: first).dropLast(4))) != nil
      {
        continue
      }
      let key =
        group.first { all.files[$0].kind == .key }
        ?? stems.chain(of: all.stem(of: first) + "-key".utf8)
      for chain in chains { takeAway(chain) }
      if let key { takeAway(key) }
      // With a key beside them, `.crt` is the usual name; without, only a combined file has one,
      // and that is usually called `.pem`.
      let preferred = key == nil ? "pem" : "crt"
      let chosen = chains.count == 1 ? first : chains.first { ending($0) == preferred } ?? first
      let file = all.files[chosen]
      entries.append(
        .init(chain: file.path, key: key.map { all.files[$0].path }, name: file.stem))
      for other in chains where other != chosen {
        let chosenName = name(chosen)
        report(
          "T030", other,
          "this file and \(chosenName) both stand for \(stem(chosen)); only \(chosenName) "
            + "is read",
          help: "remove one of them, or give it another name and a key of its own")
      }
    }
  }

  private mutating func tellOfTheRest() {
    let rest = range.filter { !isTaken(at: $0) }
    for index in rest.sorted(by: { name($0) < name($1) }) {
      switch ending(index) {
      case "key":
        report(
          "T031", index, "there is no certificate for this key",
          help: "put the chain beside it as \(stem(index)).crt")
      case "cer", "cert", "der", "p7b", "p12", "pfx", "jks":
        report(
          "T032", index,
          "this file is not read: a chain is PEM text in a file that ends in .crt or .pem",
          help: ["cer", "cert"].contains(ending(index))
            ? "if it is PEM text, rename it to \(stem(index)).crt"
            : "convert it with openssl, for example "
              + "\"openssl pkcs12 -in \(name(index)) -nodes -out \(stem(index)).pem\"")
      default:
        // README files, requests, editors' files: nobody expects them to be served.
        break
      }
    }
  }

  private func name(_ index: Int) -> String { all.string(all.files[index].name) }

  /// What stands before the last dot.
  private func stem(_ index: Int) -> String {
    let name = name(index)
    return name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[..<$0]) } ?? name
  }

  /// What follows the last dot, in lower case; empty when nothing stands before it.
  private func ending(_ index: Int) -> String {
    let name = name(index)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return ""
    }
    return name[name.utf8.index(after: dot)...].lowercased()
  }

  private mutating func report(_ code: String, _ index: Int, _ message: String, help: String) {
    let path = root + "/" + all.string(all.files[index].path)
    diagnostics.append(Diagnostic(.warning, code: code, message, at: .init(path: path), help: help))
  }
}

/// Names with the usual endings, those together that are the same without them.
private struct Stems {
  private let all: FoundNames
  private(set) var groups: [ArraySlice<Int>] = []

  /// - Parameter indices: of names in one folder, in the order of `FoundNames`.
  init(_ all: FoundNames, _ indices: [Int]) {
    self.all = all
    groups.reserveCapacity(indices.count)
    var start = 0
    for position in indices.indices.dropFirst()
    where !all.haveSameStem(indices[start], indices[position]) {
      groups.append(indices[start..<position])
      start = position
    }
    if !indices.isEmpty { groups.append(indices[start...]) }
  }

  /// The first chain with this stem.
  func chain(of stem: [UInt8]) -> Int? {
    var (low, high) = (0, groups.count)
    while low < high {
      let middle = (low + high) / 2
      let index = groups[middle][groups[middle].startIndex]
      let difference = all.order(ofStem: index, stem)
      if difference == 0 { return groups[middle].first { all.files[$0].kind == .chain } }
      if difference < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
