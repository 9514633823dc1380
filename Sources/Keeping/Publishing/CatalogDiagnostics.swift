internal import Bytes
internal import Catalog
internal import Diagnostics
internal import Settings
internal import TLS

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
