internal import AppSiteAssociation
internal import Checking
internal import Diagnostics
internal import Hosting
internal import JSON
internal import Posix

/// The association file, or the files of a folder of domains, that expectations are about.
struct AssociationFiles {
  enum Verdict {
    case met
    case failed(message: String, reasons: [String])
  }

  private enum Source {
    case file(CaseRunner)
    case folder(path: String, DomainFolder)
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
        source = .folder(path: path, try DomainFolder(reading: path))
        return
      }
    } catch {
      printError(escapingControls("error: \(error)"))
      return nil
    }
    guard let runner = Self.runner(path) else { return nil }
    source = .file(runner)
  }

  /// The file that a host serves. Nil if there is no usable one, which is reported.
  init?(host: HostTarget, domain: String?, _ client: ClientSettings) {
    guard let source = fetchAssociation(host, client),
      let document = associationDocument(source),
      let runner = Self.runner(document, source.path)
    else { return nil }
    self.source = .file(runner)
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
      printError(escapingControls("error: \(path): \(tooLargePatterns)"))
      return nil
    }
  }

  /// - Parameter owner: The domain of the expectations, for paths without a host.
  mutating func failure(of expectation: Expectation, owner: DomainName?) -> Verdict {
    switch source {
    case .file(let runner):
      return verdict(runner, expectation, domain.flatMap(Domain.init))
    case .folder(let path, let folder):
      let host = hostOfURL(expectation.url) ?? domain
      guard host != nil || owner.flatMap({ folder.entries[$0] }) != nil else {
        return .failed(
          message: "\(expectation.url) has no host",
          reasons: ["write the whole URL, or name the host of the path with --domain"])
      }
      guard
        let entry = host.map({ folder.entry(serving: $0) })
          ?? owner.flatMap({ folder.entries[$0] })
      else {
        return .failed(
          message: "the host of \(expectation.url) has no file",
          reasons: ["\(path) has no \(host ?? "").json"])
      }
      if runners[entry.name] == nil { runners[entry.name] = .some(Self.runner(entry, path)) }
      guard let known = runners[entry.name], let runner = known else {
        return .failed(
          message: "\(expectation.url): the file of \(entry.name) cannot be read", reasons: [])
      }
      return verdict(runner, expectation, nil)
    }
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
