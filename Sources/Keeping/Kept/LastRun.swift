internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// The versions and names that the last run kept. The files and certificates have the form in which
/// readers return them.
struct LastRun: Sendable {
  /// The kept version of an entry.
  struct Kept<Value: Sendable>: Sendable {
    let value: Value
    /// Whether the entry is missing and its loss awaits confirmation.
    var isHeld: Bool
  }

  var entries: [DomainName: Kept<Boxed<DomainReading>>] = [:]
  /// The certificates by the paths of their chains.
  var certificates: [String: Kept<Certificate>] = [:]
  /// The names that the last run found in the domains folder.
  var known: Set<DomainName> = []
  /// The names whose loss awaited confirmation when the last run ended, each with its folder. For
  /// some of these names, no version was kept.
  var heldLines: Set<String> = []
  /// For each host that was in several lists, the entry that served the host.
  var owners: [DomainName: DomainName] = [:]
  var diagnostics: [Diagnostic] = []

  /// If a kept version cannot be used, reports the fault of its file. Returns true only if the file
  /// cannot be read.
  fileprivate mutating func note<Version>(_ finding: FileFinding<Version>, _ path: String) -> Bool {
    guard finding.version == nil, let fault = finding.fault else { return false }
    diagnostics.append(
      finding.isUnreadable
        ? .keptUnreadable(path, fault.message) : .damaged(path, fault.message))
    return finding.isUnreadable
  }

  /// The names in `heldLines` that belong to the domains folder.
  var held: Set<DomainName> {
    let names = heldLines.filter { $0.hasPrefix("domains/") }.map { $0.dropFirst(8) }
    return Set(names.compactMap { DomainName(entryName: String($0)) })
  }
}

/// Reads the versions and names that the last run kept in the state folder.
struct LastRunReader: Sendable {
  let domains: DomainReader
  /// Reads the kept certificates; nil if HTTPS is off.
  let certificates: CertificateReader?
  /// The folder that contains a file for each revoked certificate; see
  /// `HostingOptions.revocations`.
  let revocations: String?

  init(_ options: HostingOptions, _ domains: DomainReader, _ certificates: CertificateReader?) {
    // The reader needs no options for expectations or policies, because the last run kept no
    // expectations and no policies.
    self.domains = DomainReader(
      observer: DomainObserver(
        root: ShadowFolder.root(options.state ?? "") + "/domains",
        wellKnown: options.wellKnownFiles),
      minification: domains.minification, maker: domains.maker)
    self.certificates = certificates
    revocations = options.revocations
  }

  /// Reads the entries. Returns the paths of the files that could not be read, relative to the
  /// folder `kept`.
  ///
  /// - Parameter progress: Called before each step, with the path that the step reads.
  func readEntries(_ run: inout LastRun, progress: (String) -> Void) -> [String] {
    let root = domains.observer.root
    guard let directory = try? Directory(root), let names = try? listNames(root, directory) else {
      return []
    }
    // Do not use `DomainFolder`. If no file to serve was kept for an entry, `DomainFolder` would
    // also omit the entry's page and list.
    var entries: [DomainName: DomainFolder.Entry] = [:]
    for (name, isDirectory) in names {
      guard case .part(let part, let domain) = NameClass(name, isDirectory: isDirectory) else {
        continue
      }
      _ = entries[domain, default: DomainFolder.Entry(name: domain)].add(name, as: part)
    }
    var unread: [String] = []
    func note<Version>(_ finding: FileFinding<Version>, _ path: String?) {
      if let path, run.note(finding, path) { unread.append("domains" + path.dropFirst(root.count)) }
    }
    let held = run.held
    var shared: DomainReader.Policy?
    for (name, entry) in entries.sorted(by: { $0.key.fileName < $1.key.fileName })
      .prefix(KeepingLimits.keptFiles)
    {
      progress("\(root)/\(name.fileName)")
      let task = DomainReader.Task(entry: entry, isSettled: true, isAlone: true)
      guard let reading = domains.answer(task, in: directory, &shared) else { continue }
      for (number, finding) in reading.files.all { note(finding, reading.paths[number]) }
      note(reading.hosts, reading.hostsPath)
      run.entries[name] = .init(value: Boxed(reading), isHeld: held.contains(name))
    }
    return unread
  }

  /// Reads the certificates. Returns the paths of the files that could not be read, relative to the
  /// folder `kept`.
  func readCertificates(
    _ run: inout LastRun, in store: Store, progress: (String) -> Void
  ) -> [String] {
    guard let reader = certificates, let directory = try? Directory(store.path("certificates"))
    else { return [] }
    let now = Clock.wallSeconds()
    var unread: [String] = []
    for file in store.files(in: "certificates", depth: CertificateFolder.depth) {
      let chain = String(file.dropFirst("certificates/".count))
      let entry = CertificateFolder.Entry(name: chain, chain: chain, key: nil)
      progress(store.path(file))
      let finding = reader.read(entry, in: directory, isSettled: true).finding
      if let certificate = finding.version {
        if certificate.notAfter < now || isRevoked(certificate) { continue }
        run.certificates[chain] = .init(
          value: certificate, isHeld: run.heldLines.contains(file))
      } else if run.note(finding, store.path(file)) {
        unread.append(file)
      }
    }
    return unread
  }

  /// Whether the revocation of a certificate was requested.
  func isRevoked(_ certificate: Certificate) -> Bool {
    guard let revocations else { return false }
    return !isMissing("\(revocations)/\(certificate.fingerprint)")
  }
}

extension Diagnostic {
  static func damaged(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      .keptVersionDamaged, "this stored version is damaged, and is not used: \(reason)",
      at: .init(path: path),
      help: "if the file of the same name in the domains folder or the certificates folder is "
        + "faulty too, repair that file; otherwise no action is needed")
  }

  static func keptUnreadable(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      .stateFolderUnusable, "a stored version is not used: \(reason)", at: .init(path: path),
      help:
        "check the disk, and whether the server's user can read this file; then restart the server",
      note: "the version stays in the state folder for the next start")
  }

  /// The fault that the state folder does not answer at the start.
  static func lastRunSilent(_ path: String) -> Diagnostic {
    Diagnostic(
      .fileSystemSilent, "the state folder does not answer", at: .init(path: path),
      note:
        "the server starts without the versions that the last run stored; these versions stay for "
        + "the next start")
  }
}
