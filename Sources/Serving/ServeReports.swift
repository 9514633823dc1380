internal import Bytes
internal import Catalog
internal import Checking
internal import Diagnostics
internal import Keeping
internal import Logging
internal import Posix
internal import Server
internal import Settings

/// Returns the banner that the server prints at its start.
///
/// - Parameters:
///   - counts: The number of all domains, the number of served domains, and the number of domains
///     with faults.
///   - isTrial: Whether the program only checks the settings and does not start the server.
func banner(
  _ catalog: Catalog, _ counts: DomainCounts, _ certificates: CertificateSummary?,
  _ endpoints: [Server.Endpoint], _ admin: [String], _ configuration: Configuration,
  isTrial: Bool = false
) -> String {
  let (serving, using, listening) =
    isTrial
    ? ("would serve", "would use", "would listen on")
    // If there are no endpoints, this process only issues certificates for other servers.
    : (endpoints.isEmpty ? "issuing for" : "serving", "using", "listening")
  var text = isTrial ? "" : "aasa \(programVersion)\n"
  text += "\(serving) \(domains(catalog, counts)) from \(configuration.domains)\n"
  if let certificates, !endpoints.isEmpty { text += "\(using) \(words(for: certificates))\n" }
  for endpoint in endpoints {
    text += "\(listening) \(endpoint.isSecure ? "https" : "http")://\(endpoint.address)\n"
  }
  return text + admin.map { $0 + "\n" }.joined()
}

/// Returns a command with which the user can fetch a file from this server; nil if the server
/// serves no association file or listens on no address.
///
/// - Parameter isTrusted: Whether the server has a certificate that is not self-signed.
func trial(_ catalog: Catalog, _ endpoints: [Server.Endpoint], isTrusted: Bool) -> String? {
  guard let endpoint = endpoints.first(where: { !$0.isSecure }) ?? endpoints.first,
    let site = catalog.sites.first(where: { $0.version(of: WellKnownFiles.association) != nil })
  else { return nil }
  let host =
    switch site.name {
    case .host(let name), .wildcard(let name): name
    case .any: "example.com"
    }
  let (address, path) = (endpoint.address, "/.well-known/apple-app-site-association")
  let local = address.isUnspecified ? "localhost:\(address.port)" : "\(address)"
  return "try it: curl "
    + (endpoint.isSecure
      ? "\(isTrusted ? "" : "-k ")--connect-to \(host):443:\(local) https://\(host)\(path)\n"
      : "-H 'Host: \(host)' http://\(local)\(path)\n")
}

private func words(for certificates: CertificateSummary) -> String {
  guard let expiry = certificates.firstExpiry else {
    return "a self-signed certificate, which devices refuse"
  }
  let days = (expiry - Clock.wallSeconds()) / 86_400
  let noun = certificates.total == 1 ? "certificate" : "certificates"
  let count = counted(certificates.count, of: certificates.total)
  return "\(count) \(noun) from \(certificates.folder) for "
    + "\(shortened(Array(Set(certificates.names)))), "
    + (days < 0 ? "expired" : "the first to expire in \(days.counting("day"))")
}

private func domains(_ catalog: Catalog, _ counts: DomainCounts) -> String {
  if catalog.sites.isEmpty { return "no domains" }
  let names = catalog.sites.filter(\.servesFiles).map(\.name.description)
  let list = names.isEmpty ? "" : " (\(shortened(names)))"
  let count = counted(counts.served, of: counts.all)
  let faults = counts.faulty == 0 ? "" : ", \(counts.faulty) with faults"
  // If there are lists of hosts, show the number of hosts, not the number of entries.
  if !catalog.lists.isEmpty {
    let hosts = catalog.hostCount
    return "\(hosts.counting("host")) in \(count) "
      + "\(counts.all == 1 ? "entry" : "entries")\(faults)\(list)"
  }
  return "\(count) \(counts.all == 1 ? "domain" : "domains")\(faults)\(list)"
}

/// Returns both numbers as text, for example `39 of 40`. If the numbers are equal, returns only
/// one, for example `40`.
private func counted(_ part: Int, of all: Int) -> String {
  part == all ? "\(all)" : "\(part) of \(all)"
}

/// Returns the first names in alphabetical order and the number of the others: `a, b, c and 7
/// more`. Does not sort all names, because there may be many.
private func shortened(_ names: [String], shown: Int = 5) -> String {
  var first: [String] = []
  for name in names where first.count < shown || name < first[first.count - 1] {
    first.insert(name, at: first.firstIndex { name < $0 } ?? first.count)
    if first.count > shown { first.removeLast() }
  }
  let rest = names.count - first.count
  return first.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
}

/// Logs the results of a scan of the folders: first the changed domains and certificates, then the
/// diagnostics.
func write(_ report: Report, to log: ServerLog) {
  if !report.isFirst {
    for folder in report.released {
      log.announce("the \(folder) folder is trusted again, and its changes take effect\n")
    }
    if !report.added.isEmpty {
      log.announce("added \(shortened(report.added.map(\.description)))\n")
    }
    var parts: [String] = []
    if !report.changed.isEmpty { parts.append(shortened(report.changed.map(\.description))) }
    if report.certificatesChanged { parts.append(words(forReloaded: report.certificates)) }
    if !parts.isEmpty { log.announce("reloaded \(parts.joined(separator: " and "))\n") }
  }
  for diagnostic in report.diagnostics { log.report(diagnostic) }
  for (code, count) in report.omitted.sorted(by: { $0.key < $1.key }) {
    log.report(count, moreOf: code)
  }
  if report.removed.isEmpty { return }
  log.report(
    Diagnostic(
      .domainRemoved, "removed: \(shortened(report.removed))",
      note: report.removed.count == 1
        ? "the domain is no longer served"
        : "the domains are no longer served")
  )
}

/// Describes reloaded certificates, for example `certificate c/a.crt (until 2027-01-31)`.
///
/// - Parameter expiries: The time at which each certificate expires, keyed by its path; empty if
///   certificates were withdrawn.
private func words(forReloaded expiries: [String: Int64]) -> String {
  if expiries.isEmpty { return "certificates" }
  let names = expiries.map { "\($0.key) (until \(CivilTime($0.value).date))" }
  return (names.count == 1 ? "certificate " : "certificates ") + shortened(names)
}

/// Returns the messages for an error at the server's start. If a fix is known, the messages include
/// the fix.
func faults(of error: ServerError) -> [String] {
  switch error {
  case .accessLog(let error): return [diagnostic(ofAccessLog: error).message]
  case .system(let error):
    let help = "; raise the limit of open files (ulimit -n), or lower --threads"
    return ["\(error)" + (error.isOutOfDescriptors ? help : "")]
  case .endpoints(let faults):
    return faults.map { fault in
      let endpoint = fault.endpoint
      let name = "\(endpoint.isSecure ? "https" : "http")://\(endpoint.address)"
      return "cannot listen on \(name): \(fault.error.reason)"
        + (fix(fault).map { "; " + $0 } ?? "")
    }
  }
}

/// Returns the diagnostic for an access log that cannot be written.
func diagnostic(ofAccessLog error: SystemError) -> Diagnostic {
  let help =
    if error.isNotFound {
      "create the folder that contains it, or choose another file with --access-log"
    } else if error.isPipeWithoutReader {
      "start the program that reads this pipe first, or choose a file with --access-log"
    } else if error.isNotRegularFile {
      "give a file in this folder"
    } else if error.isPermissionDenied {
      "let the server's user write to the file, or choose another file with --access-log"
    } else {
      "choose another file with --access-log, or stdout, or none"
    }
  return Diagnostic(
    .accessLogUnusable, "cannot write the access log to \(error.subject): \(error.reason)",
    help: help)
}

private func fix(_ fault: Server.EndpointError) -> String? {
  let flag = fault.endpoint.isSecure ? "--https" : "--http"
  let port = fault.endpoint.address.port
  if fault.error.isAddressInUse {
    return "another program listens on this port (find the program with: ss -ltnp 'sport = "
      + ":\(port)'); stop that program, or choose another port with \(flag)"
  }
  if fault.error.isPermissionDenied {
    return "ports below 1024 need a privilege: choose a higher port with \(flag), "
      + "or give the program the capability CAP_NET_BIND_SERVICE"
  }
  if fault.error.isNoSuchAddress {
    return "this machine does not have that address: choose another address with \(flag)"
  }
  return nil
}

extension ServerLog {
  /// Logs news from the checks of domains from outside.
  func report(_ news: OutsideNews) {
    switch news {
    case .failure(let diagnostic): report(diagnostic)
    case .recovery(let sentence): report(LogEntry(.info, .message(sentence, metadata: [:])), nil)
    }
  }
}
