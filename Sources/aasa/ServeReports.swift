internal import Diagnostics
internal import Hosting
internal import Posix
internal import Server

/// What a person is told when the server starts.
func banner(
  _ catalog: Catalog, _ certificates: CertificateSummary?, _ endpoints: [Server.Endpoint],
  _ admin: [String], _ configuration: Configuration
) -> String {
  var text = "serving \(domains(catalog)) from \(configuration.domains)\n"
  if let certificates { text += line(for: certificates) + "\n" }
  for endpoint in endpoints {
    text += "listening \(endpoint.isSecure ? "https" : "http")://\(endpoint.address)\n"
  }
  return text + admin.map { $0 + "\n" }.joined()
}

private func line(for certificates: CertificateSummary) -> String {
  guard let expiry = certificates.firstExpiry else {
    return "using a certificate made for this run (self-signed: devices refuse it)"
  }
  let days = (expiry - Clock.wallSeconds()) / 86_400
  let noun = certificates.count == 1 ? "certificate" : "certificates"
  return "using \(certificates.count) \(noun) from \(certificates.folder) for "
    + "\(shortened(certificates.names)), "
    + (days < 0 ? "expired" : "the first to expire in \(days) \(days == 1 ? "day" : "days")")
}

private func domains(_ catalog: Catalog) -> String {
  let names = catalog.sites.map(\.name.description)
  if names.isEmpty { return "no domains" }
  return "\(names.count) \(names.count == 1 ? "domain" : "domains") (\(shortened(names)))"
}

/// `a, b, c and 7 more`: the first in order, found without sorting what may be very many.
private func shortened(_ names: [String], shown: Int = 5) -> String {
  var first: [String] = []
  for name in names where first.count < shown || name < first[first.count - 1] {
    first.insert(name, at: first.firstIndex { name < $0 } ?? first.count)
    if first.count > shown { first.removeLast() }
  }
  let rest = names.count - first.count
  return first.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
}

/// Tells of a loading: its diagnostics one line each, and what is served otherwise than before.
func tell(of report: Maintenance.Report, to log: ServerLog) {
  if let line = reloadLine(report) { log.announce(line + "\n") }
  var shown: [String: Int] = [:]
  for diagnostic in report.diagnostics {
    let count = (shown[diagnostic.code] ?? 0) + 1
    shown[diagnostic.code] = count
    if count <= shownPerCode { log.tell(diagnostic) }
  }
  for (code, count) in report.omitted { shown[code, default: 0] += count }
  for (code, count) in shown.sorted(by: { $0.key < $1.key }) where count > shownPerCode {
    log.tell(count - shownPerCode, moreOf: code)
  }
}

/// What a reload changed, in one line; nil when it changed nothing, or was no reload.
private func reloadLine(_ report: Maintenance.Report) -> String? {
  if report.isFirst { return nil }
  var parts: [String] = []
  if !report.changedDomains.isEmpty {
    parts.append(shortened(report.changedDomains.map(\.description)))
  }
  if report.certificatesChanged { parts.append("certificates") }
  return parts.isEmpty ? nil : "reloaded " + parts.joined(separator: " and ")
}

/// So many diagnostics of one kind are told in full: ten thousand domains may lack a certificate.
private let shownPerCode = 10

/// Why the server cannot start, and what to do about it.
func faults(of error: ServerError) -> [String] {
  switch error {
  case .system(let error):
    let help = "; raise the limit of open files (ulimit -n), or ask for fewer --threads"
    return ["\(error)" + (error.isOutOfDescriptors ? help : "")]
  case .endpoints(let faults):
    return faults.map { fault in
      let endpoint = fault.endpoint
      let name = "\(endpoint.isSecure ? "https" : "http")://\(endpoint.address)"
      return "cannot listen on \(name): \(fault.error.reason)"
        + (mend(fault).map { "; " + $0 } ?? "")
    }
  }
}

private func mend(_ fault: Server.EndpointError) -> String? {
  let flag = fault.endpoint.isSecure ? "--https" : "--http"
  let port = fault.endpoint.address.port
  if fault.error.isAddressInUse {
    return "another program listens there (find it with: ss -ltnp 'sport = :\(port)'); stop it, "
      + "or choose another port with \(flag)"
  }
  if fault.error.isPermissionDenied {
    return "ports below 1024 need a privilege: use a port above with \(flag), "
      + "or give the program the capability CAP_NET_BIND_SERVICE"
  }
  if fault.error.isNoSuchAddress {
    return "this machine does not have that address: choose another with \(flag)"
  }
  return nil
}
