internal import AppSiteAssociation
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import JSON
internal import Keeping
internal import Posix
internal import Rules
internal import Settings

/// The association file, or the files of a folder of domains, that expectations are about.
struct AssociationFiles {
  enum Verdict {
    case met
    case failed(message: String, reasons: [String])
  }

  private enum Source {
    /// - Parameter path: Nil if it was fetched.
    case file(CaseRunner, path: String?)
    case folder(path: String, FolderHosts)
  }

  private let source: Source
  private let domain: String?
  /// The files of the folder that were read: nil if a file cannot be read.
  private var runners: [DomainName: CaseRunner?] = [:]

  /// Nil if nothing can be read there, which is reported.
  init?(path: String, domain: String?) {
    self.domain = domain
    do throws(SystemError) {
      if path != "-", try status(path).kind == .directory {
        let root = withoutTrailingSlashes(path)
        source = .folder(path: root, try FolderHosts(reading: root))
        return
      }
    } catch {
      printError("error: \(error)")
      return nil
    }
    guard let runner = Self.runner(path) else { return nil }
    source = .file(runner, path: path)
  }

  /// The file that a host serves. Nil if there is no usable one, which is reported.
  init?(host: HostTarget, domain: String?, _ client: ClientSettings) {
    guard let source = fetchAssociation(host, client),
      let document = associationDocument(source),
      let runner = Self.runner(document, source.path)
    else { return nil }
    self.source = .file(runner, path: nil)
    // With an address or a local name, the host of the file is unknown.
    self.domain = domain ?? (host.isPublicName ? host.host : nil)
  }

  private static func runner(_ path: String) -> CaseRunner? {
    guard let document = readAssociation(path) else { return nil }
    return runner(document, path)
  }

  private static func runner(_ document: Document, _ path: String) -> CaseRunner? {
    do throws(PatternsTooLarge) {
      return try CaseRunner(document)
    } catch {
      printError("error: \(path): \(tooLargePatterns)")
      return nil
    }
  }

  /// - Parameter owner: The domain of the expectations, for paths without a host.
  mutating func failure(of expectation: Expectation, owner: DomainName?) -> Verdict {
    switch source {
    case .file(let runner, _):
      return verdict(runner, expectation, domain.flatMap(Domain.init))
    case .folder(let path, let hosts):
      let entry: DomainFolder.Entry
      switch self.entry(for: expectation, in: hosts, path, owner: owner) {
      case .success(let found): entry = found
      case .failure(let missing): return missing.verdict
      }
      if runners[entry.name] == nil { runners[entry.name] = .some(Self.runner(entry, path)) }
      guard let known = runners[entry.name], let runner = known else {
        return .failed(
          message: "\(expectation.url): the file of \(entry.name) cannot be read", reasons: [])
      }
      return verdict(runner, expectation, nil)
    }
  }

  /// The same for an expectation about an Android app, which the host's `assetlinks.json` decides.
  func failure(ofAndroid expectation: Expectation, owner: DomainName?) -> Verdict {
    let path: String?
    switch source {
    case .file(_, let association):
      path = association.flatMap { beside in
        assetLinksPaths(beside: beside).first { (try? status($0)) != nil }
      }
    case .folder(let root, let hosts):
      switch entry(for: expectation, in: hosts, root, owner: owner) {
      case .success(let entry): path = entry.assetLinksPath(in: root)
      case .failure(let missing): return missing.verdict
      }
    }
    guard let path else {
      return .failed(
        message: "\(expectation.url): there is no assetlinks.json beside the file", reasons: [])
    }
    guard let bytes = try? readFile(path, limit: 1 << 20),
      let runner = AndroidCaseRunner(AssetLinksFile(SourceText(path: path, bytes: bytes)))
    else {
      return .failed(message: "\(expectation.url): \(path) cannot be read", reasons: [])
    }
    guard let failure = runner.failure(of: expectation) else { return .met }
    return .failed(message: failure.message, reasons: failure.reasons)
  }

  private struct MissingEntry: Error {
    let verdict: Verdict
  }

  /// The entry whose files decide about an expectation.
  private func entry(
    for expectation: Expectation, in hosts: FolderHosts, _ path: String, owner: DomainName?
  ) -> Result<DomainFolder.Entry, MissingEntry> {
    let host = hostOfURL(expectation.url) ?? domain
    let own = owner.flatMap { hosts.folder.entries[$0] }
    guard host != nil || own != nil else {
      return .failure(
        MissingEntry(
          verdict: .failed(
            message: "\(expectation.url) has no host",
            reasons: ["write the whole URL, or name the host of the path with --domain"])))
    }
    guard let entry = host.map({ hosts.entry(serving: $0) }) ?? own else {
      return .failure(
        MissingEntry(
          verdict: .failed(
            message: "the host of \(expectation.url) has no file",
            reasons: ["\(path) has no \(host ?? "").json, and no list in it names the host"])))
    }
    return .success(entry)
  }

  private func verdict(
    _ runner: CaseRunner, _ expectation: Expectation, _ domain: Domain?
  ) -> Verdict {
    var runner = runner
    do throws(PatternsTooLarge) {
      guard let failure = try runner.failure(of: expectation, domain: domain) else { return .met }
      return .failed(message: failure.message, reasons: failure.reasons)
    } catch {
      return .failed(message: tooLargePatterns, reasons: [])
    }
  }

  private static func runner(_ entry: DomainFolder.Entry, _ root: String) -> CaseRunner? {
    entry.associationPath(in: root).flatMap { runner($0) }
  }
}

/// Where the `assetlinks.json` of an association file may be: `example.com.assetlinks.json` for
/// `example.com.json`, otherwise `assetlinks.json` in the same folder.
func assetLinksPaths(beside path: String) -> [String] {
  let stem = path.hasSuffix(".json") ? String(path.dropLast(5)) : nil
  let folder = folderName(of: path)
  return (stem.map { [$0 + ".assetlinks.json"] } ?? [])
    + [(folder.isEmpty ? "" : folder + "/") + "assetlinks.json"]
}
