package import Diagnostics

/// Groups the files in the certificates folder and its subfolders into certificates. Each
/// certificate is a chain with its key.
///
/// This type contains all naming rules, and opens no file.
package struct CertificateFolder: Sendable, Equatable {
  /// A chain and its key. Paths are relative to the certificates folder.
  package struct Entry: Sendable, Equatable {
    /// The name by which the setting `defaultCertificate` selects the certificate: the file name
    /// without extension, or the name of a folder that Kubernetes or certbot created.
    package let name: String
    package let chain: String
    /// The path of the key; nil if the key is in the same file as the chain.
    package let key: String?

    /// The paths of the certificate's files.
    package var files: [String] { key.map { [chain, $0] } ?? [chain] }

    /// The first component of the chain's path: the name of a file or folder directly in the
    /// certificates folder.
    var topName: String {
      guard let slash = chain.utf8.firstIndex(of: UInt8(ascii: "/")) else { return chain }
      return String(chain[..<slash])
    }
  }

  /// The certificates, sorted by the paths of the chains.
  package private(set) var entries: [Entry] = []
  package private(set) var diagnostics: [Diagnostic] = []

  /// The maximum depth of the search. The depth is enough for certbot's whole folder: if that
  /// folder is mounted as `NAME`, the certificates are in `NAME/live/DOMAIN/`.
  package static let depth = 3

  /// - Parameters:
  ///   - root: The path of the certificates folder. Diagnostics contain the path, and certificates
  ///     that are directly in the folder are named after the folder.
  ///   - paths: The relative paths of everything in the folder; `isDirectory` is true for links to
  ///     directories.
  package init(root: String, paths: [(path: String, isDirectory: Bool)]) {
    let files = paths.filter { !$0.isDirectory }.map(\.path).sorted().map(FileName.init)
    let folders = Dictionary(grouping: files.filter { !$0.isPassedOver }, by: \.folder)
    for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
      var search = FolderSearch(
        root: root, folder: folder.isEmpty ? root[...] : folder, files: files)
      search.run()
      entries += search.entries
      diagnostics += search.diagnostics
    }
    entries.sort { $0.chain < $1.chain }
  }

  /// Returns the paths of all files except the keys of certificates. If the key of a known
  /// certificate is among these paths, the chain of that certificate is missing.
  func keysWithoutChain(among paths: [(path: String, isDirectory: Bool)]) -> Set<String> {
    Set(paths.lazy.filter { !$0.isDirectory }.map(\.path)).subtracting(entries.compactMap(\.key))
  }

  /// Returns whether to search the folder at `path`.
  ///
  /// - Parameter siblings: The names of all folders in the same parent, including this folder.
  package static func isSearched(_ path: String, siblings: Set<String>) -> Bool {
    let name = lastPart(of: path[...])
    if isIgnored(String(name)) { return false }
    // Search only certbot's `live`: the folders next to it contain old certificates.
    if siblings.contains("live") && siblings.contains("archive") { return name == "live" }
    return path.utf8.count { $0 == UInt8(ascii: "/") } < depth
  }
}

/// Returns the part of a path after the last slash.
private func lastPart(of path: Substring) -> Substring {
  path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path
}

/// The path of a file, split into its parts.
private struct FileName {
  let path: String
  let folder: Substring
  let name: Substring
  /// The part before the last dot.
  let stem: Substring
  /// The extension in lower case, without the dot; empty if the name has no dot or only begins with
  /// a dot.
  let ending: String

  init(_ path: String) {
    self.path = path
    name = lastPart(of: path[...])
    folder = path[..<name.startIndex].dropLast()
    if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex {
      stem = name[..<dot]
      ending = name[name.utf8.index(after: dot)...].lowercased()
    } else {
      (stem, ending) = (name, "")
    }
  }

  /// Whether the search ignores the file: a hidden file, an editor's backup, or a file with key
  /// exchange parameters, which certbot writes next to its folders.
  var isPassedOver: Bool {
    if name == "ssl-dhparams.pem" || name.hasPrefix("dhparam") { return true }
    return name.utf8.first.map { $0 == UInt8(ascii: ".") } ?? true
      || name.utf8.last == UInt8(ascii: "~")
  }
  var isChain: Bool { ending == "crt" || ending == "pem" }
  var isKey: Bool { ending == "key" }
}

/// The search of one folder. Each step removes the files that it recognizes from `files`.
private struct FolderSearch {
  let root: String
  /// The path of the folder.
  let folder: Substring
  /// The files that no step has recognized yet, sorted by name.
  var files: [FileName]
  private(set) var entries: [CertificateFolder.Entry] = []
  private(set) var diagnostics: [Diagnostic] = []

  mutating func run() {
    // The files of a Kubernetes TLS secret. `ca.crt` is for verifying clients, so the server does
    // not need it.
    takeSet(chain: "tls.crt", key: "tls.key", others: ["ca.crt"])
    // The files in a certbot folder. `fullchain.pem` contains `cert.pem` and `chain.pem`, so these
    // two are not needed.
    takeSet(chain: "fullchain.pem", key: "privkey.pem", others: ["cert.pem", "chain.pem"])
    takePairs()
    reportTheRest()
  }

  private mutating func takeSet(chain: Substring, key: Substring, others: [Substring]) {
    let length = chain.utf8.count
    guard let chain = files.first(where: { $0.name.utf8.count == length && $0.name == chain })
    else { return }
    let key = files.first { $0.name == key }
    files.removeAll { [chain.name, key?.name].contains($0.name) || others.contains($0.name) }
    entries.append(
      .init(name: String(lastPart(of: folder)), chain: chain.path, key: key?.path))
  }

  /// Makes certificates from chains in `NAME.crt` or `NAME.pem`. The key can be in the same file,
  /// in `NAME.key`, or in `NAME-key.pem`, the file that mkcert writes.
  private mutating func takePairs() {
    let groups = Dictionary(grouping: files, by: \.stem)
    var taken: Set<Substring> = []
    for file in files where file.isChain {
      guard let group = groups[file.stem] else { continue }
      let chains = group.filter(\.isChain)
      if chains.first?.name != file.name || isIssuer(file, of: groups) { continue }
      if file.stem.hasSuffix("-key"),
        groups[file.stem.dropLast(4)]?.contains(where: \.isChain) == true
      {
        continue
      }
      let key = group.first(where: \.isKey) ?? groups[file.stem + "-key"]?.first(where: \.isChain)
      takePair(chains, key: key)
      taken.insert(file.stem)
      if let key { taken.insert(key.stem) }
    }
    files.removeAll { ($0.isChain || $0.isKey) && taken.contains($0.stem) }
  }

  /// Whether the file is `NAME.issuer.crt`, which lego writes next to `NAME.crt` and its key. The
  /// chain in `NAME.crt` already contains the issuer.
  private func isIssuer(_ file: FileName, of groups: [Substring: [FileName]]) -> Bool {
    guard file.stem.hasSuffix(".issuer"), groups[file.stem]?.contains(where: \.isKey) != true,
      let pair = groups[file.stem.dropLast(".issuer".count)]
    else { return false }
    return pair.contains(where: \.isChain) && pair.contains(where: \.isKey)
  }

  private mutating func takePair(_ chains: [FileName], key: FileName?) {
    // If the key has a separate file, the chain usually has the extension `.crt`. A file with the
    // chain and the key usually has the extension `.pem`.
    let preferred = key == nil ? "pem" : "crt"
    let chosen = chains.first { $0.ending == preferred } ?? chains[0]
    entries.append(
      .init(name: String(chosen.stem), chain: chosen.path, key: key?.path))
    for other in chains where other.name != chosen.name {
      report(
        .twoChainsForOne, other,
        "this file and \(chosen.name) are chains of one name; only \(chosen.name) is read")
    }
  }

  private mutating func reportTheRest() {
    for file in files {
      switch file.ending {
      case "key":
        report(
          .keyWithoutCertificate, file, "there is no certificate for this key",
          help: "put the chain beside the key as \(file.stem).crt")
      case "cer", "cert", "der", "p7b", "p12", "pfx", "jks":
        report(
          .otherCertificateFormat, file,
          "this file is not read: a chain must be PEM text in a file with the extension .crt or "
            + ".pem",
          help: conversion(of: file))
      default:
        // Do not report README files, certificate requests or editors' files. No user expects the
        // server to read these files.
        break
      }
    }
  }

  private func conversion(of file: FileName) -> String {
    let (name, stem) = (file.name, file.stem)
    return switch file.ending {
    case "cer", "cert": "if this file is PEM text, rename it to \(stem).crt"
    case "der": "convert the file with \"openssl x509 -inform der -in \(name) -out \(stem).crt\""
    case "p7b": "convert the file with \"openssl pkcs7 -print_certs -in \(name) -out \(stem).crt\""
    case "jks": "convert the file to PKCS #12 with keytool, then to PEM with openssl pkcs12"
    default: "convert the file with \"openssl pkcs12 -in \(name) -nodes -out \(stem).pem\""
    }
  }

  private mutating func report(
    _ kind: Kind, _ file: FileName, _ message: String, help: String? = nil
  ) {
    let location = Diagnostic.Location(path: root + "/" + file.path)
    diagnostics.append(Diagnostic(kind, message, at: location, help: help))
  }
}
