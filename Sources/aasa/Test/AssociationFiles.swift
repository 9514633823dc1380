internal import AppSiteAssociation
internal import Checking
internal import Diagnostics
internal import JSON
internal import Keeping
internal import Posix
internal import Rules
internal import Settings

/// The files against which expectations are tested: an association file, or a domains folder.
struct AssociationFiles {
  enum Verdict {
    case met
    case failed(message: String, reasons: [String])
  }

  private enum Source {
    /// - Parameter path: The path of the file; nil if the file was fetched from a server.
    case file(AppleLinks, path: String?)
    case folder(path: String, HostListing)
  }

  private let source: Source
  private let domain: String?
  /// The files of the folder that were read, keyed by path. The value is nil if the file cannot be
  /// read.
  private var known: [String: (any LinkFile)?] = [:]
  /// The amount of work that is still allowed for testing expectations.
  private var budget: Budget

  /// If the file or folder cannot be read, reports the fault and returns nil.
  init?(path: String, domain: String?, budget: Budget = CaseLimits.tested) {
    self.domain = domain
    self.budget = budget
    if path != "-" {
      guard let kind = readOrReport(path, try status(path).kind) else { return nil }
      if kind == .directory {
        let root = withoutTrailingSlashes(path)
        guard let hosts = readOrReport(path, try readHosts(root)) else { return nil }
        source = .folder(path: root, hosts)
        return
      }
    }
    guard let document = readAssociation(path),
      let links = appleLinks(document, path, domain.flatMap(Domain.init))
    else { return nil }
    source = .file(links, path: path)
  }

  /// Fetches the file that a host serves. If there is no usable file, reports the fault and
  /// returns nil.
  init?(host: HostTarget, domain: String?, _ client: ClientSettings) {
    budget = CaseLimits.tested
    // If the target is an IP address or a local name, the file's public host is unknown.
    self.domain = domain ?? (host.isPublicName ? host.host : nil)
    guard let source = fetchAssociation(host, client),
      let document = documentOrReport(source),
      let links = appleLinks(document, source.path, self.domain.flatMap(Domain.init))
    else { return nil }
    self.source = .file(links, path: nil)
  }

  /// - Parameter owner: The domain to which the file of expectations belongs, according to the name
  ///   of the file. If `domain` is nil, URLs that are only paths are tested against the files of
  ///   this domain.
  mutating func failure(of expectation: Expectation, owner: DomainName?) -> Verdict {
    let path: String?
    switch source {
    case .file(let links, let own):
      if expectation.platform == .apple { return verdict(links, expectation) }
      path = own.flatMap { own in FilesBeside(own).assetLinks.first { !isMissing($0) } }
    case .folder(let root, let hosts):
      switch entry(for: expectation, in: hosts, root, owner: owner) {
      case .success(let entry):
        let files = hosts.files(of: entry)
        path = expectation.platform == .apple ? files?.association : files?.assetLinks
      case .failure(let missing): return missing.verdict
      }
    }
    guard let path else {
      let file = expectation.platform == .apple ? "association file" : "assetlinks.json"
      return .failed(message: "\(expectation.url): the host has no \(file)", reasons: [])
    }
    guard let file = file(path, expectation.platform) else {
      return .failed(message: "\(expectation.url): \(path) cannot be read", reasons: [])
    }
    return verdict(file, expectation)
  }

  private mutating func file(_ path: String, _ platform: LinkPlatform) -> (any LinkFile)? {
    if let file = known[path] { return file }
    let file: (any LinkFile)? =
      switch platform {
      case .apple: readAssociation(path).flatMap { appleLinks($0, path, nil) }
      case .android: readAssetLinks(path)
      }
    known[path] = .some(file)
    return file
  }

  private struct MissingEntry: Error {
    let verdict: Verdict
  }

  /// Returns the entry of the domains folder against whose files an expectation is tested.
  private func entry(
    for expectation: Expectation, in hosts: HostListing, _ path: String, owner: DomainName?
  ) -> Result<DomainFolder.Entry, MissingEntry> {
    let host = hostOfURL(expectation.url) ?? domain
    let own = owner.flatMap { hosts[$0] }
    guard host != nil || own != nil else {
      return .failure(
        MissingEntry(
          verdict: .failed(
            message: "\(expectation.url) has no host",
            reasons: ["write the full URL, or pass the host with --domain"])))
    }
    guard let entry = host.map({ hosts.entry(serving: $0) }) ?? own else {
      return .failure(
        MissingEntry(
          verdict: .failed(
            message: "the host of \(expectation.url) has no file",
            reasons: [
              "\(path) has no \(host ?? "").json, and no .hosts list in this folder contains the "
                + "host"
            ])))
    }
    return .success(entry)
  }

  private mutating func verdict(_ file: any LinkFile, _ expectation: Expectation) -> Verdict {
    do throws(UncheckedExpectation) {
      guard let failure = try file.failure(of: expectation, &budget) else { return .met }
      return .failed(message: failure.message, reasons: failure.reasons)
    } catch {
      return .failed(message: "\(expectation.url): \(error.message)", reasons: [])
    }
  }
}

/// Compiles the rules of an association file. If the patterns in the file are too large, reports
/// the fault and returns nil.
private func appleLinks(_ document: Document, _ path: String, _ domain: Domain?) -> AppleLinks? {
  do throws(PatternsTooLarge) {
    return try AppleLinks(document, domain: domain)
  } catch {
    printError("error: \(path): \(tooLargePatterns)")
    return nil
  }
}
