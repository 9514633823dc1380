internal import Bytes
internal import Catalog
internal import Diagnostics
internal import Settings
internal import TLS

/// Makes catalogs. Each catalog shares all unchanged parts with the previous one.
struct CatalogMaker {
  var options: HostingOptions
  private(set) var catalog = Catalog(sites: [], material: nil)
  private var ticketKeys = TicketKeys()
  /// The self-signed certificate for HTTPS, made if there is no other certificate. Users can try
  /// HTTPS with this certificate. It is only for this run and is not stored.
  private var selfSigned: Certificate?
  /// Whether HTTPS uses the self-signed certificate.
  private(set) var servesSelfSigned = false
  /// The faults of the catalog as a whole that were last reported.
  private var reported: Set<String> = []
  /// Whether the faults of the catalog as a whole may have changed since the last report.
  private(set) var isDiagnosisDue = true
  /// The certificates at the last call of `diagnose`; nil if they have not changed since then.
  private var formerMaterial: TLSMaterial?
  /// For each host that was reported because no certificate covers it, the last certificate file
  /// that covered the host.
  private var formerFiles: [String: String] = [:]
  /// The lists of hosts, each with the name of its entry.
  private var hostsFiles: [(entry: DomainName, file: HostsFile)] = []
  /// For each host that is in several lists, the entry that serves the host. At the start, the
  /// values are those of the last run.
  var owners: [DomainName: DomainName] = [:]
  private var areContentsUnused = false

  init(_ options: HostingOptions) { self.options = options }

  mutating func rotateTicketKeys() { ticketKeys = ticketKeys.rotated() }

  mutating func make(
    _ changes: CatalogChanges, _ domains: DomainKeeper, _ certificates: CertificateFolders?,
    at now: Moment, _ report: inout Report
  ) -> Catalog {
    var material = catalog.material
    if changes.materialChanged, formerMaterial == nil { formerMaterial = material }
    if let certificates, changes.materialChanged || material == nil {
      servesSelfSigned = certificates.isEmpty
      if servesSelfSigned, selfSigned == nil {
        selfSigned = makeSelfSigned(
          for: domains, hasFiles: !certificates.statuses.isEmpty, options, &report)
      }
      material = certificates.material(
        ticketKeys: ticketKeys, selfSigned: servesSelfSigned ? selfSigned : nil, at: now)
    }
    let replaced =
      changes.namesChanged ? nil : catalog.replacing(changes.sites, material: material)
    catalog = replaced ?? rebuild(domains, material)
    isDiagnosisDue = isDiagnosisDue || replaced == nil || changes.materialChanged
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
    // A host can be in several lists. If the entry of one of these lists already serves the host,
    // this entry keeps the host. Otherwise, the host belongs to the entry of the list whose path
    // sorts first. A list that no longer contains the host is considered only if no list contains
    // the host.
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
    var found = catalogDiagnostics(catalog, options, hasCertificates: !servesSelfSigned) { host in
      files[host] = formerMaterial?.certificates(for: host).first?.path ?? formerFiles[host]
      return files[host]
    }
    (formerFiles, formerMaterial) = (files, nil)
    let duplicates = duplicateHosts(in: hostsFiles, catalog)
    found += duplicates.faults
    if !catalog.isIncomplete { owners = duplicates.owners }
    // There may be one diagnostic for each domain. To save memory, store only the texts of the
    // diagnostics.
    let texts = Set(found.map { $0.code + $0.message })
    // The limit must allow one message for each host without a certificate that is listed by name,
    // and one message with the number of the other hosts.
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

/// Returns a fault for each host that is in two lists, or that is in a list and has its own entry.
/// For each list, the faults are about the first such hosts, and the last fault contains the number
/// of the other hosts. Also returns, for each host in several lists, the entry that serves the
/// host.
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
      // Leave room for the last message, which contains the number of the omitted hosts.
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
          .hostElsewhere, "more hosts of this list that other entries serve: \(omitted)",
          at: .init(path: file.path)))
    }
    return found
  }
  return (faults, owners)
}

/// Returns a self-signed certificate for this run, with which users can try HTTPS. Devices refuse
/// this certificate. If the certificate cannot be made, reports why and returns nil.
///
/// - Parameter hasFiles: Whether the folder contains files of certificates. None of these
///   certificates can be used.
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
  /// The sites that have new responses, but still serve the same hosts.
  var sites: [Site] = []
  /// Whether hosts were added or removed. If so, the tables of names must be rebuilt.
  var namesChanged = false
  /// Whether certificates or ticket keys have changed.
  var materialChanged = false

  var isEmpty: Bool { sites.isEmpty && !namesChanged && !materialChanged }
}

/// Returns those faults of the catalog that do not belong to a single file.
///
/// - Parameters:
///   - hasCertificates: Whether the user has certificates for HTTPS.
///   - formerFile: Returns the certificate file that covered a host before; nil if no certificate
///     covered the host.
func catalogDiagnostics(
  _ catalog: Catalog, _ options: HostingOptions, hasCertificates: Bool,
  formerFile: (String) -> String? = { _ in nil }
) -> [Diagnostic] {
  var result: [Diagnostic] = []
  if catalog.sites.isEmpty {
    let fault = Diagnostic(
      .nothingToServe, "there is no domain to serve", at: .init(path: options.domains))
    // If the catalog is incomplete, omit the help, because another message says why the catalog is
    // incomplete.
    result.append(catalog.isIncomplete ? fault.withoutHelp : fault)
  }
  for alias in options.aliases {
    if !hasEntry(alias.to, catalog) {
      result.append(
        Diagnostic(
          .aliasWithoutEntry,
          "the alias \(alias.from) points to \(alias.to), which has no entry in the domains folder",
          at: .init(path: options.domains), help: "add \(alias.to).json, or fix the alias"))
    } else if catalog.index(of: alias.from) != nil {
      result.append(
        Diagnostic(
          .aliasNotUsed,
          "the alias \(alias.from) is not used, because the domains folder has an entry for this "
            + "host",
          at: .init(path: options.domains)))
    }
  }
  if hasCertificates, let material = catalog.material {
    if material.isDefaultMissing && options.isDefaultCertificateExpected {
      result.append(
        Diagnostic(
          .defaultCertificateMissing,
          "no certificate matches the setting defaultCertificate (\(options.defaultCertificate))",
          at: .init(path: options.certificates ?? "")))
    }
    result += hostsWithoutCertificate(catalog, material, options, formerFile)
  }
  return result
}

/// If no certificate covers a host of an entry, a list of hosts or an alias, returns a fault for
/// the host. Only the first hosts get their own faults, to keep the log short.
private func hostsWithoutCertificate(
  _ catalog: Catalog, _ material: TLSMaterial, _ options: HostingOptions,
  _ formerFile: (String) -> String?
) -> [Diagnostic] {
  // If the server gets certificates automatically, omit the hosts. The issuer reports why a host
  // has no certificate yet.
  let areIssued = options.issuedCertificates != nil
  let hosts = areIssued ? [] : catalog.hosts
  let wildcards = catalog.wildcards.filter { $0.hasPrefix("*.") }
  let uncovered = (hosts + wildcards).filter { !material.covers($0) }
  if uncovered.isEmpty { return [] }
  func fault(_ names: String, help: String? = nil) -> Diagnostic {
    Diagnostic(
      .hostWithoutCertificate, "no certificate covers \(names)",
      at: .init(path: options.certificates ?? ""), help: help,
      note: "HTTPS clients that ask for this host are refused")
  }
  let namedHosts = LoadingLimits.namedHosts
  let named = uncovered.count > namedHosts ? uncovered.sorted() : uncovered
  var faults = named.prefix(namedHosts).map { host in
    guard let file = formerFile(host) else { return fault(host) }
    return fault(
      "\(host), which \(file) covered before",
      help: "put that certificate back, or add another certificate that covers the host")
  }
  if uncovered.count > namedHosts {
    faults.append(
      fault(
        (uncovered.count - namedHosts).counting("more host"),
        help: "let the server get the certificates itself: --acme letsencrypt"))
  }
  return faults
}

/// Whether a host belongs to an entry itself, not only through an alias.
private func hasEntry(_ host: String, _ catalog: Catalog) -> Bool {
  let host = host.lowercased()
  var names = [DomainName.host(host), .wildcard(host)]
  var rest = host[...]
  while let dot = rest.firstIndex(of: ".") {
    rest = rest[rest.index(after: dot)...]
    names.append(.wildcard(String(rest)))
  }
  return names.contains { catalog.index(of: $0) != nil }
}
