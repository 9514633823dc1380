internal import Catalog
package import Diagnostics
internal import Settings
internal import TLS

/// The metrics of domains and certificates.
extension HostingStatus {
  /// The maximum number of certificates with their own samples. If there are more certificates,
  /// those that expire first have samples.
  private static let certificatesWithMetrics = 100
  /// The maximum number of domains with their own samples. If there are more domains, the first
  /// domains in the catalog have samples.
  package static let domainsWithMetrics = 1000

  package func metrics(isReady: Bool, now: Int64) -> [MetricFamily] {
    var withheld = [MetricFamily.Sample(folderFault == nil ? 0 : 1, "folder", "domains")]
    if hasHTTPS { withheld.append(.init(areCertificatesHeld ? 1 : 0, "folder", "certificates")) }
    let families = [
      MetricFamily(
        "aasa_ready", .gauge,
        "1 while the server is ready for traffic, as /readyz reports, otherwise 0.",
        isReady ? 1 : 0),
      MetricFamily(
        "aasa_domains", .gauge,
        "The number of domains by state: served, served with errors, served with the last good "
          + "version, refused, or empty.",
        counts.map { .init($0.count, "state", $0.state.rawValue) }),
      MetricFamily(
        "aasa_hosts", .gauge,
        "The number of hosts and wildcards in entries, lists of hosts and aliases.",
        catalog.hostCount),
      MetricFamily(
        "aasa_folder_withheld", .gauge,
        "1 while changes in a folder are not applied, because the folder is unreadable, was mounted or "
          + "unmounted, or seems to have lost files.",
        withheld),
      MetricFamily(
        "aasa_hanging_reads", .gauge,
        "Files and folders for which the file system has not answered a read or write for more than "
          + "two seconds.",
        hangingReads),
      MetricFamily(
        "aasa_reloads", .counter, "Reloads of changed files, by result.",
        [
          .init(reloads.successes, "result", "success"),
          .init(reloads.failures, "result", "failure"),
        ]),
      MetricFamily(
        "aasa_last_reload_successful", .gauge,
        "1 if all files were usable at the last reload or at the start.",
        reloads.isLastSuccessful ? 1 : 0),
      MetricFamily(
        "aasa_last_reload_success_timestamp_seconds", .gauge, unit: "seconds",
        "When all files were last usable, in seconds since 1970.",
        reloads.lastSuccess.map { [.init($0)] } ?? []),
    ]
    return hasHTTPS ? families + certificateMetrics(now: now) : families
  }

  private func certificateMetrics(now: Int64) -> [MetricFamily] {
    let served = certificates.compactMap { entry in
      entry.certificate.map { (file: entry.file, certificate: $0) }
    }
    let expired = served.count { now > $0.certificate.notAfter }
    let early = served.count { now < $0.certificate.notBefore }
    let first = served.map { ($0.certificate.notAfter, $0.file) }.sorted { $0 < $1 }
    return [
      MetricFamily(
        "aasa_certificates", .gauge,
        "The number of certificates by state: valid, expired, not valid yet, or refused because "
          + "they are faulty.",
        [
          .init(served.count - expired - early, "state", "valid"),
          .init(expired, "state", "expired"), .init(early, "state", "not-yet-valid"),
          .init(certificates.count - served.count, "state", "refused"),
        ]),
      MetricFamily(
        "aasa_certificate_expiry_timestamp_seconds", .gauge, unit: "seconds",
        "The expiry of each of the 100 certificates that expire first, in seconds since 1970.",
        first.prefix(Self.certificatesWithMetrics).map { .init($0.0, "certificate", $0.1) }),
    ]
  }

  /// The metrics of single domains. The server reports them only if a setting enables them.
  package var domainMetrics: [MetricFamily] {
    let sites = catalog.sites.prefix(Self.domainsWithMetrics)
    let fetches = sites.flatMap { site in
      site.fetches(of: WellKnownFiles.association).map { fetch in
        (
          labels: [("domain", site.name.entryName), ("fetcher", fetch.fetcher.name)], fetch: fetch,
          isCurrent: fetch.version == site.version(of: WellKnownFiles.association)
        )
      }
    }
    return [
      MetricFamily(
        "aasa_domain_state", .gauge, "The state of a domain; the value is always 1.",
        sites.map { site in
          .init(1, [("domain", site.name.entryName), ("state", state(of: site).rawValue)])
        }),
      MetricFamily(
        "aasa_domain_version_timestamp_seconds", .gauge, unit: "seconds",
        "When the current version of the association file was first served, in seconds since 1970.",
        sites.map { .init($0.since, "domain", $0.name.entryName) }),
      MetricFamily(
        "aasa_domain_fetches", .counter, "Requests for the association file, by class of client.",
        fetches.map { .init($0.fetch.count, $0.labels) }),
      MetricFamily(
        "aasa_domain_last_fetch_timestamp_seconds", .gauge, unit: "seconds",
        "When the association file was last requested, in seconds since 1970.",
        fetches.map { .init($0.fetch.time, $0.labels) }),
      MetricFamily(
        "aasa_domain_last_fetch_current", .gauge,
        "1 if the last fetch got the version that is served now, otherwise 0.",
        fetches.map { .init($0.isCurrent ? 1 : 0, $0.labels) }),
    ]
  }
}
