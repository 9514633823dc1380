internal import AppSiteAssociation
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix

/// What the files of one host about passkeys leave out that another one has, and links that open an
/// app on one platform only.
func disagreements(among inputs: [ValidationInput]) -> [Diagnostic] {
  var hosts: [String: HostFiles] = [:]
  var order: [String] = []
  for input in inputs {
    guard let (path, host) = input.host else { continue }
    if hosts[host] == nil { order.append(host) }
    hosts[host, default: HostFiles()].add(input, path)
  }
  return order.compactMap { hosts[$0] }.flatMap(\.diagnostics)
}

/// The paths of one host's files.
private struct HostFiles {
  private var association: String?
  private var assetLinks: String?
  private var passkeys: [String] = []

  mutating func add(_ input: ValidationInput, _ path: String) {
    switch input {
    // The file in .well-known comes first, and is the one that devices get.
    case .file: association = association ?? path
    case .assetLinks: assetLinks = assetLinks ?? path
    case .passkeys: passkeys.append(path)
    case .standardInput, .other, .fault: break
    }
  }

  var diagnostics: [Diagnostic] {
    guard let association, assetLinks != nil || !passkeys.isEmpty else { return [] }
    var agreement = PasskeyAgreement()
    agreement.association = source(association).map { AssociationFile($0) }
    agreement.assetLinks = assetLinks.flatMap(source).map(AssetLinksFile.init)
    agreement.passkeyFiles = passkeys
    var found = agreement.diagnostics
    if let apple = agreement.association, let android = agreement.assetLinks,
      let links = PlatformAgreement(association: apple, assetLinks: android)
    {
      found += links.notes
    }
    return found
  }

  private func source(_ path: String) -> SourceText? {
    (try? readContent(path, limit: 1 << 20)).map { SourceText(path: path, bytes: $0.bytes) }
  }
}

extension ValidationInput {
  /// The file's path, and a text that all files of its host share: its folder without
  /// `.well-known`, or the name before `.json` and `.assetlinks.json`.
  fileprivate var host: (path: String, host: String)? {
    switch self {
    case .standardInput, .other, .fault: return nil
    case .file(let path), .assetLinks(let path), .passkeys(let path, _):
      for suffix in [".assetlinks.json", ".json"]
      where path.hasSuffix(suffix) && !path.hasSuffix("/assetlinks.json") {
        return (path, String(path.dropLast(suffix.count)))
      }
      let folder = folderName(of: path)
      let wellKnown = "/.well-known"
      return (path, folder.hasSuffix(wellKnown) ? String(folder.dropLast(wellKnown.count)) : folder)
    }
  }
}
