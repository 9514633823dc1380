internal import Diagnostics
internal import Posix

/// Puts together how everything stands, on the thread that loads.
struct StatusKeeper {
  private var status = HostingStatus()
  private let publisher: StatusPublisher
  var hasSelfSigned = false
  /// The state of the certificates that the status shows; see `CertificateLoader.generation`.
  private var shownGeneration = -1
  private var held: [FolderGuard.Reason?] = [nil, nil]

  init(_ options: HostingOptions, _ publisher: StatusPublisher) {
    self.publisher = publisher
    status.folder = options.domains
    status.hasHTTPS = options.certificates != nil
    status.isCertificatesFolderExpected = options.isCertificatesFolderExpected
  }

  mutating func noteLoaded(failed: Bool) {
    status.isLoaded = true
    status.reloads.note(failed: failed, isFirst: true, now: Clock.wallSeconds())
  }

  mutating func noteReload(failed: Bool) {
    status.reloads.note(failed: failed, isFirst: false, now: Clock.wallSeconds())
  }

  /// Takes note of whether the folders are held. Returns whether that has changed.
  mutating func noteHeld(
    _ domains: FolderGuard.Reason?, _ certificates: FolderGuard.Reason?
  ) -> Bool {
    defer { held = [domains, certificates] }
    return held != [domains, certificates]
  }

  /// Shows those who ask how everything stands now.
  mutating func publish(
    _ domains: DomainLoader, _ certificates: CertificateLoader?, _ catalog: Catalog
  ) {
    status.catalog = catalog
    status.troubles = domains.troubles.all
    status.folderFault = domains.folder.heldDiagnostic
    status.hasStandIn = hasSelfSigned
    if let certificates {
      if certificates.generation != shownGeneration {
        status.certificates = certificates.statuses
        shownGeneration = certificates.generation
      }
      status.areCertificatesHeld = certificates.folder.held != nil
      status.certificateFault = certificates.folder.heldDiagnostic ?? certificates.closed.first
    }
    publisher.publish(status)
  }

  /// How many domains there are, and how many of them are served as their files are.
  var domainCounts: (good: Int, all: Int) {
    let counts = status.counts
    return (
      counts.first { $0.state == .served }?.count ?? 0, counts.reduce(0) { $0 + $1.count }
    )
  }
}
