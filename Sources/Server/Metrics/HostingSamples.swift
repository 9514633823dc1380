internal import Catalog
internal import HTTP
internal import Settings
internal import TLS

/// Samples of domains and certificates.
extension MetricsWriter {
  /// The most certificates with their own samples. Those that expire first get them.
  private static let certificates = 100
  /// The most domains with their own samples. The first domains of the catalog get them.
  static let domains = 1000

  mutating func write(_ status: HostingStatus, isReady: Bool, now: Int64) {
    family("aasa_ready", .gauge, "1 while traffic should be sent here, as /readyz says.")
    sample([], isReady ? 1 : 0)
    family(
      "aasa_domains", .gauge,
      "Domains: served, served with errors, served with the last good version, refused, or empty.")
    for (state, count) in status.counts { sample([("state", state.rawValue)], count) }
    family(
      "aasa_hosts", .gauge,
      "Hosts and wildcards that entries, lists of hosts and aliases name.")
    sample([], status.catalog.hostCount)
    family(
      "aasa_folder_withheld", .gauge,
      "1 while changes in a folder are held back because the folder cannot be trusted.")
    sample([("folder", "domains")], status.folderFault == nil ? 0 : 1)
    if status.hasHTTPS {
      sample([("folder", "certificates")], status.areCertificatesHeld ? 1 : 0)
    }
    writeReloads(status.reloads)
    if status.hasHTTPS { writeCertificates(status, now: now) }
  }

  private mutating func writeReloads(_ reloads: Reloads) {
    family("aasa_reloads", .counter, "Reloads of changed files, by result.")
    sample([("result", "success")], reloads.successes)
    sample([("result", "failure")], reloads.failures)
    family(
      "aasa_last_reload_successful", .gauge,
      "1 if all files could be used at the last reload, the start included.")
    sample([], reloads.isLastSuccessful ? 1 : 0)
    family(
      "aasa_last_reload_success_timestamp_seconds", .gauge, unit: "seconds",
      "When all files could last be used, in seconds since 1970.")
    if let time = reloads.lastSuccess { sample([], time) }
  }

  private mutating func writeCertificates(_ status: HostingStatus, now: Int64) {
    var (valid, expired, early, refused) = (0, 0, 0, 0)
    var served: [(file: String, notAfter: Int64)] = []
    for entry in status.certificates {
      guard let certificate = entry.certificate else {
        refused += 1
        continue
      }
      served.append((entry.file, certificate.notAfter))
      if now > certificate.notAfter {
        expired += 1
      } else if now < certificate.notBefore {
        early += 1
      } else {
        valid += 1
      }
    }
    family(
      "aasa_certificates", .gauge,
      "Certificates: valid, expired, not valid yet, or refused because it is faulty.")
    for (state, count) in [
      ("valid", valid), ("expired", expired), ("not-yet-valid", early), ("refused", refused),
    ] {
      sample([("state", state)], count)
    }
    served.sort { ($0.notAfter, $0.file) < ($1.notAfter, $1.file) }
    family(
      "aasa_certificate_expiry_timestamp_seconds", .gauge, unit: "seconds",
      "When a certificate expires, in seconds since 1970: the hundred that expire first.")
    for (file, notAfter) in served.prefix(Self.certificates) {
      sample([("certificate", file)], notAfter)
    }
  }

  /// Writes the samples for each domain, if the configuration asks for them.
  mutating func writeDomains(_ status: HostingStatus) {
    let sites = status.catalog.sites.prefix(Self.domains)
    family("aasa_domain_state", .gauge, "The state of a domain; the value is always 1.")
    for site in sites {
      sample(
        [("domain", site.name.entryName), ("state", status.state(of: site).rawValue)], 1)
    }
    family(
      "aasa_domain_version_timestamp_seconds", .gauge, unit: "seconds",
      "When this version of the association file was first served, in seconds since 1970.")
    for site in sites { sample([("domain", site.name.entryName)], site.since) }
    let fetches = sites.flatMap { site in
      site.fetches(of: WellKnownFiles.association).map { fetch in
        (
          labels: [("domain", site.name.entryName), ("fetcher", fetch.fetcher.name)], fetch: fetch,
          isCurrent: fetch.version == site.version(of: WellKnownFiles.association)
        )
      }
    }
    family(
      "aasa_domain_fetches", .counter, "Requests for the association file, by class of client.")
    for (labels, fetch, _) in fetches { sample(labels, fetch.count) }
    family(
      "aasa_domain_last_fetch_timestamp_seconds", .gauge, unit: "seconds",
      "When the association file was last requested, in seconds since 1970.")
    for (labels, fetch, _) in fetches { sample(labels, fetch.time) }
    family(
      "aasa_domain_last_fetch_current", .gauge,
      "1 if the last fetch was of the version that is served now.")
    for (labels, _, isCurrent) in fetches { sample(labels, isCurrent ? 1 : 0) }
  }
}
