internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import Gzip
internal import HTTP
internal import Posix

/// Returns findings about the faults of the domain's name and addresses.
func addressFindings(_ evidence: DomainEvidence, isDirect: Bool) -> [Finding] {
  (isDirect ? [] : privateAddressFindings(evidence)) + schemeFindings(evidence)
    + nameFindings(evidence)
    + (evidence.wellKnown.fault.map { faultFindings($0, evidence) } ?? [])
    + evidence.others.flatMap { otherAddressFindings($0, evidence) }
}

/// Returns a finding for each private address of the domain, because Apple's CDN does not connect
/// to such an address. With `?mode=developer`, devices fetch the file directly from the domain, and
/// may reach a private address. So a private address is then not a fault.
func privateAddressFindings(_ evidence: DomainEvidence) -> [Finding] {
  // If the user gave an address for the domain, or checks `localhost` or an IP address, the user
  // knows that the address may be private.
  if evidence.hasOrigin || !evidence.target.isPublicName { return [] }
  // Behind a proxy, the known addresses belong to the proxy. The proxy's addresses say nothing
  // about the domain's addresses.
  if evidence.wellKnown.usesProxy { return [] }
  let addresses = evidence.addresses
  let isOnly = addresses.allSatisfy { $0.privateKind != nil }
  return addresses.compactMap { address in
    address.privateKind.map { kind in
      Finding(
        .privateAddress, "\(evidence.target.host) has \(kind): \(address.host)",
        effect: isOnly ? nil : .someDevices)
    }
  }
}

/// Returns a finding if the host is a public IP address, because only a link with a host name can
/// open an app. A private IP address is not reported, because people use such addresses for tests.
private func nameFindings(_ evidence: DomainEvidence) -> [Finding] {
  let host = evidence.target.host
  guard let address = SocketAddress(literal: host, port: 443), address.privateKind == nil else {
    return []
  }
  return [
    Finding(
      .addressAsName, "\(host) is an IP address, but an app can only open links of a domain",
      help: "check the domain; to check the server at this address: "
        + "aasa check example.com --origin \(host.contains(":") ? "[\(host)]" : host):443")
  ]
}

private func schemeFindings(_ evidence: DomainEvidence) -> [Finding] {
  guard evidence.target.scheme == .http else { return [] }
  return [Finding(.plainHTTP, "the file was fetched by plain HTTP, as requested")]
}

private func faultFindings(_ fault: FetchFault, _ evidence: DomainEvidence) -> [Finding] {
  if evidence.world.isWithoutRoute(fault) { return [] }
  guard let alias = evidence.alias else { return [finding(of: fault, evidence.wellKnown)] }
  let finding = Finding(
    .nameWithoutAddress,
    "\(evidence.target.host) is an alias (CNAME) of \(alias), which has no address",
    evidence.wellKnown,
    help: "fix the CNAME record, or the service at \(alias): anybody who can register \(alias) "
      + "takes over the domain")
  return [finding]
}

/// Returns the finding for a fetch that failed.
func finding(of fault: FetchFault, _ exchange: Exchange) -> Finding {
  let kind: Kind =
    switch fault {
    case .unresolved(.noAddress): .nameWithoutAddress
    case .unresolved: .nameNotResolved
    case .unreachable: .unreachable
    case .privateAddress: .notChecked
    case .proxy: .proxyRefuses
    case .notTLS: .notTLS
    case .tlsUnusable, .handshake: .handshakeFails
    case .http2Only: .http2Only
    case .clientCertificate: .clientCertificate
    case .untrusted: .certificateRefused
    case .lost, .timedOut: .noAnswer
    case .response: .brokenAnswer
    case .content, .unknownCoding: .brokenCoding
    }
  if case .content(.tooLarge) = fault {
    var finding = Finding(
      .fileTooLarge,
      "\(fault), and devices ignore a file of more than 131072 bytes, compressed or not", exchange,
      effect: .allDevices)
    finding.ownSource = Kind.fileTooLarge.source
    return finding
  }
  let more = if case .http2Only = fault { "; Apple's CDN and devices support HTTP/2" } else { "" }
  return Finding(kind, fault.description + more, exchange)
}

/// Returns findings about the answer from another address of the host. A device may use any
/// address, so each address must serve the same file, with a trusted certificate.
private func otherAddressFindings(_ other: Exchange, _ evidence: DomainEvidence) -> [Finding] {
  guard let address = other.address ?? other.addresses.first, !evidence.isWithoutRoute(address)
  else { return [] }
  let first = evidence.wellKnown
  if let fault = other.fault {
    if first.fault == fault { return [] }
    if case .http2Only = fault { return [finding(of: fault, other).at(address.host)] }
    let verb = isSilence(fault) ? "does not answer" : "serves no file"
    return [
      Finding(
        .addressWithoutAnswer, "the address \(address.host) \(verb): \(words(fault))", other)
    ]
  }
  var findings = certificateFindings(other, evidence).filter { finding in
    finding.severity == .error
      && !certificateFindings(first, evidence).contains { $0.kind == finding.kind }
  }.map { finding in
    var finding = finding
    finding.effect = .someDevices
    return finding.at(address.host)
  }
  if let difference = differenceOfAnswers(first, other) {
    findings.append(
      Finding(
        .addressesDiffer,
        "the address \(address.host) returns \(difference.words), but "
          + "\(first.address?.host ?? "the first address") returns "
          + "\(responseSummary(first, "the file"))",
        other, help: redirectHelp(first, other), evidence: difference.lines))
  }
  return findings
}

/// Returns the help text for the case that exactly one of two addresses redirects; otherwise nil.
private func redirectHelp(_ first: Exchange, _ other: Exchange) -> String? {
  let redirecting = [first, other].filter { $0.head?.isRedirect == true }
  guard redirecting.count == 1, let address = redirecting[0].address else { return nil }
  return "serve the file itself at \(address.host), without a redirect: Apple follows no redirect"
}

/// Whether the server sends nothing at all. False for a malformed answer.
private func isSilence(_ fault: FetchFault) -> Bool {
  switch fault {
  case .unresolved, .unreachable, .proxy, .lost, .timedOut: true
  default: false
  }
}

/// Why there is no answer, as words that follow the address in a sentence.
private func words(_ fault: FetchFault) -> String {
  if case .unreachable(let attempts) = fault, attempts.count == 1, let error = attempts[0].error {
    return error.reason
  }
  return fault.description
}

extension Kind {
  static let nameWithoutAddress = Kind(
    "F001", "name-without-address", "the domain's name has no address",
    "no client can connect to the domain", nil, effect: .allDevices,
    fix: "add A and AAAA records for the name, or correct the spelling of the name")

  static let nameNotResolved = Kind(
    "F002", "name-not-resolved", "the DNS lookup of the domain's name fails",
    "the cause may be this machine's resolver, or the domain's name servers", nil,
    effect: .allDevices,
    fix: "try another network; check the domain's name servers and DNSSEC")

  static let privateAddress = Kind(
    "F003", "private-address",
    "the domain's name has an address that is not reachable from the internet",
    "Apple's CDN does not connect to such an address, and reports SWCERR00202",
    "seen in the field (grade O)",
    effect: .allDevices,
    fix: "use public addresses; to test on a private network, ?mode=developer bypasses the CDN")

  static let unreachable = Kind(
    "F004", "unreachable", "no address of the host accepts a connection",
    "devices get no file", nil, effect: .allDevices,
    fix: "check that the server runs and listens on port 443, and check firewalls in front of it")

  static let addressWithoutAnswer = Kind(
    "F005", "address-without-answer", "one of the host's addresses does not answer",
    "devices and Apple's CDN choose any address of the host, so some get the file and others do "
      + "not", nil,
    effect: .someDevices,
    fix: "fix the server at this address, or remove the DNS record of the address; servers are "
      + "often not configured for IPv6")

  static let addressesDiffer = Kind(
    "F006", "addresses-differ", "two addresses of the host give different answers",
    "each device gets one of the two answers at random", nil, effect: .someDevices,
    fix: "deploy the same version of the file to all servers")

  static let proxyRefuses = Kind(
    "F007", "proxy", "the proxy in HTTPS_PROXY refuses the tunnel to the host",
    "the domain's state is unknown, because this machine cannot reach the domain", nil,
    effect: .unknown,
    fix: "fix HTTPS_PROXY, or add the host to NO_PROXY")

  static let plainHTTP = Kind(
    "F009", "plain-http", "the file was fetched by HTTP", "devices use HTTPS only",
    trustedSource, severity: .warning,
    fix: "devices and Apple's CDN use HTTPS only: check the domain with https:// too")

  static let addressAsName = Kind(
    "F111", "address-as-name", "an IP address was given instead of a domain",
    "an app can list only domains, so no link to an IP address opens an app",
    "Apple's page on the Associated Domains entitlement (grade D)", effect: .allDevices,
    fix: "check a domain name; to check a server at an address, use --origin or --resolve")

  static let addressKinds: [Kind] = [
    .notChecked, .addressAsName, .notAHost, .nameWithoutAddress, .nameNotResolved,
    .privateAddress,
    .unreachable, .addressWithoutAnswer, .addressesDiffer, .proxyRefuses, .plainHTTP,
  ]
}
