internal import Diagnostics
internal import DigitalAssetLinks
internal import Keeping
internal import Settings

/// Compares the files of each host with several files. Reports passkey permissions that one file
/// grants and another file omits. Also reports links that open an app on only one platform.
struct HostFiles {
  private struct Host {
    var association: String?
    var assetLinks: String?
    var passkeys: [String] = []
    var isPaired: Bool { association != nil && (assetLinks != nil || !passkeys.isEmpty) }
  }

  private var hosts: [Host] = []
  /// The files to compare, keyed by path. The value is nil until `take` is called with the file.
  private var files: [String: ReadFile?] = [:]

  init(_ inputs: [ValidationInput]) {
    var indexes: [String: Int] = [:]
    for input in inputs {
      guard let name = input.host else { continue }
      let index = indexes[name] ?? hosts.count
      indexes[name] = index
      if index == hosts.count { hosts.append(Host()) }
      switch input.language {
      // Prefer the file in .well-known, because devices get that file.
      case .association: hosts[index].association = hosts[index].association ?? input.path
      case .assetLinks: hosts[index].assetLinks = hosts[index].assetLinks ?? input.path
      case .judged(let file):
        if file.isAboutPasskeys { hosts[index].passkeys.append(input.path) }
      case .securityText, .other, nil: break
      }
    }
    hosts.removeAll { !$0.isPaired }
    for path in hosts.flatMap({ [$0.association, $0.assetLinks] }).compactMap(\.self) {
      files[path] = .some(nil)
    }
  }

  func wants(_ path: String) -> Bool { files[path] != nil }

  mutating func take(_ file: ReadFile?, _ path: String) {
    if wants(path) { files[path] = .some(file) }
  }

  var disagreements: [Diagnostic] {
    hosts.flatMap { host in
      var agreement = PasskeyAgreement()
      if case .association(let file)? = read(host.association) { agreement.association = file }
      if case .assetLinks(let file)? = read(host.assetLinks) { agreement.assetLinks = file }
      agreement.passkeyFiles = host.passkeys
      var found = agreement.diagnostics
      if let apple = agreement.association, let android = agreement.assetLinks,
        let links = PlatformAgreement(association: apple, assetLinks: android)
      {
        found += links.notes
      }
      return found
    }
  }

  private func read(_ path: String?) -> ReadFile? { path.flatMap { files[$0] ?? nil } }
}

extension ValidationInput {
  /// The host to which the file belongs according to its path; nil for a fault without a file, and
  /// for standard input.
  fileprivate var host: String? { isFile && path != "-" ? FilesBeside(path).host : nil }
}
