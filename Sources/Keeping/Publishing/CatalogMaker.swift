internal import Catalog
internal import Diagnostics
internal import Settings
internal import TLS

/// Makes catalogs. Each catalog shares all unchanged parts with the previous one.
struct CatalogMaker {
  private var options: HostingOptions
  private(set) var catalog = Catalog(sites: [], material: nil)
  private var ticketKeys = TicketKeys()
  /// The self-signed fallback certificate, with which users can try HTTPS. It is made if there is
  /// no other certificate, and is not kept after this run.
  private var selfSigned: Certificate?
  /// Whether HTTPS uses the self-signed certificate.
  private(set) var servesSelfSigned = false
  /// The last reported faults of the catalog as a whole.
  private var reported: Set<String> = []
  /// Whether the faults of the catalog as a whole may have changed since the last report.
  private(set) var isDiagnosisDue = true
  /// The certificates at the last call of `diagnose`; nil if they have not changed since then.
  private var formerMaterial: TLSMaterial?
  /// For each reported host without a certificate, the last certificate file that covered it.
  private var formerFiles: [String: String] = [:]
  private var hasCertificates = false
  /// The lists of hosts, each with the name of its entry.
  private var hostsFiles: [(entry: DomainName, file: HostsFile)] = []
  /// For each host that is in several lists, the entry that serves the host. The initial values are
  /// those of the last run.
  private(set) var owners: [DomainName: DomainName] = [:]
  /// Whether the server may not know all hosts yet; see `Catalog.isIncomplete`.
  var isIncomplete: Bool { catalog.isIncomplete }
  private var areContentsUnused = false

  init(_ options: HostingOptions) { self.options = options }

  mutating func use(_ options: HostingOptions) { self.options = options }

  mutating func take(_ run: LastRun) { owners = run.owners }

  mutating func rotateTicketKeys() { ticketKeys = ticketKeys.rotated() }

  mutating func make(
    _ changes: CatalogChanges, _ domains: DomainKeeper, _ certificates: CertificateFolders?,
    at now: Moment, _ report: inout Report
  ) -> Catalog {
    var material = catalog.material
    if changes.materialChanged, formerMaterial == nil { formerMaterial = material }
    if let certificates, changes.materialChanged || material == nil {
      hasCertificates = !certificates.isEmpty
      servesSelfSigned = !hasCertificates
      if servesSelfSigned, selfSigned == nil {
        selfSigned = makeSelfSigned(
          for: domains, hasFiles: !certificates.statuses.isEmpty, options, &report)
      }
      material = certificates.material(
        ticketKeys: ticketKeys, selfSigned: servesSelfSigned ? selfSigned : nil, at: now)
    }
    let namesChanged = changes.namesChanged || !catalog.keepsNames(with: changes.sites)
    if namesChanged {
      catalog = rebuild(domains, material)
    } else {
      catalog = catalog.replacing(changes.sites, material: material)
    }
    isDiagnosisDue = isDiagnosisDue || namesChanged || changes.materialChanged
    areContentsUnused = true
    return catalog
  }

  private mutating func rebuild(_ domains: DomainKeeper, _ material: TLSMaterial?) -> Catalog {
    var sites: [Site] = []
    sites.reserveCapacity(domains.items.count)
    var hosts: [(site: Int, file: HostsFile, kept: [DomainName])] = []
    for state in domains.items.values {
      if let file = state.hosts.answer.version {
        hosts.append((sites.count, file, domains.lists[state.entry.name]?.kept ?? []))
      }
      sites.append(state.site)
    }
    // If two lists contain the same host, the entry that already serves the host keeps it. If
    // neither entry served it before, the list whose path sorts first gets it. A list that contains
    // the host always wins over a list that no longer contains it.
    hosts.sort { $0.file.path < $1.file.path }
    hostsFiles = hosts.map { (sites[$0.site].name, $0.file) }
    let lists = hosts.map { (site: $0.site, names: $0.file.hosts) }
    let kept = hosts.filter { !$0.kept.isEmpty }.map { (site: $0.site, names: $0.kept) }
    return Catalog(
      sites: sites, hosts: lists, keptHosts: kept, aliases: options.aliases,
      allowedHosts: options.allowedHosts, isIncomplete: domains.isIncomplete, material: material,
      owner: { [catalog, owners] in catalog.namedSite($0)?.name ?? owners[$0] })
  }

  /// Reports new faults of the catalog as a whole.
  mutating func diagnose(_ report: inout Report) {
    isDiagnosisDue = false
    var files: [String: String] = [:]
    var found = catalogDiagnostics(catalog, options, hasCertificates: hasCertificates) { host in
      files[host] = formerMaterial?.certificates(for: host).first?.path ?? formerFiles[host]
      return files[host]
    }
    (formerFiles, formerMaterial) = (files, nil)
    let duplicates = duplicateHosts(in: hostsFiles, catalog)
    found += duplicates.faults
    if !catalog.isIncomplete { owners = duplicates.owners }
    // Keep only the texts of the diagnostics to save memory, because there may be one for each
    // domain.
    let texts = Set(found.map { $0.code + $0.message })
    // The limit must allow a message for each mentioned host without a certificate, and a message
    // with the number of the other hosts.
    report.add(
      found.filter { !reported.contains($0.code + $0.message) },
      atMost: LoadingLimits.namedHosts + 1)
    reported = texts
  }

  /// Forgets contents that are no longer served.
  mutating func forgetUnused(_ domains: inout DomainKeeper) {
    if !areContentsUnused || domains.contents.hasUncompressed { return }
    areContentsUnused = false
    domains.contents.removeUnused()
  }
}

/// Returns faults of hosts that are in two lists, or that are in a list and also have their own
/// entry. For each list, mentions the first such hosts and the number of the others. Also returns,
/// for each host in several lists, the entry that serves it.
private func duplicateHosts(
  in lists: [(entry: DomainName, file: HostsFile)], _ catalog: Catalog
) -> (faults: [Diagnostic], owners: [DomainName: DomainName]) {
  var owners: [DomainName: DomainName] = [:]
  let paths = Dictionary(
    lists.map { ($0.entry, $0.file.path) }, uniquingKeysWith: { first, _ in first })
  let faults = lists.flatMap { entry, file in
    var messages: [DomainName: String] = [:]
    var omitted = 0
    for host in file.hosts {
      guard let owner = catalog.namedSite(host)?.name, owner != entry || owner == host,
        catalog.standIn(for: host)?.name != entry
      else { continue }
      if owner != host, paths[owner] != nil { owners[host] = owner }
      // Leave room for the last message, which says how many hosts were omitted.
      if messages.count == LoadingLimits.reportedPerCode - 1 {
        omitted += 1
      } else if owner == host {
        messages[host] = "\(host) has its own entry, and that entry is used instead of this list"
      } else if let path = paths[owner] {
        messages[host] = "\(host) is also in \(path), and that list is used instead"
      }
    }
    var found = file.diagnostics(messages)
    if omitted > 0 {
      found.append(
        Diagnostic(
          .hostElsewhere, "\(omitted) more hosts of this list are served by other entries",
          at: .init(path: file.path)))
    }
    return found
  }
  return (faults, owners)
}

/// Returns a self-signed certificate for this run, with which users can try HTTPS. Devices refuse
/// this certificate. Returns nil if the certificate cannot be made; the report then says why.
///
/// - Parameter hasFiles: Whether there are files of certificates, although no certificate can be
///   used.
private func makeSelfSigned(
  for domains: DomainKeeper, hasFiles: Bool, _ options: HostingOptions, _ report: inout Report
) -> Certificate? {
  var names = ["localhost", "127.0.0.1", "::1"]
  for name in domains.items.keys where names.count < 100 {
    switch name {
    case .host(let host): names.append(host)
    case .wildcard(let parent): names += ["*." + parent, parent]
    case .any: break
    }
  }
  do throws(TLSError) {
    let certificate = try TLS.selfSigned(names: Array(names.prefix(100)))
    if options.issuedCertificates != nil { return certificate }
    report.add([
      Diagnostic(
        .selfSignedFallback,
        (hasFiles
          ? "no certificate in the folder can be used (see above)" : "there is no certificate")
          + ", so HTTPS uses a self-signed certificate, which devices refuse",
        at: .init(path: options.certificates ?? ""),
        help: hasFiles ? "fix the files that the other messages mention" : nil)
    ])
    return certificate
  } catch {
    report.add([
      Diagnostic(.noCertificateMade, "a self-signed certificate could not be made: \(error)")
    ])
    return nil
  }
}

/// The differences between a catalog and the next one.
struct CatalogChanges {
  /// The sites whose responses have changed, but whose hosts have not.
  var sites: [Site] = []
  /// Whether hosts were added or removed. If so, the tables of names must be rebuilt.
  var namesChanged = false
  /// Whether certificates or ticket keys have changed.
  var materialChanged = false

  var isEmpty: Bool { sites.isEmpty && !namesChanged && !materialChanged }
}
