internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import HTTP
internal import Posix
internal import TLS

/// Returns the finding that this machine cannot check the domain, because of a fault of this
/// machine or its network. For example, if Apple's CDN cannot be reached either, the domain is not
/// the cause. Nil if this machine can check the domain.
func obstacle(_ evidence: DomainEvidence, isDirect: Bool) -> Finding? {
  guard let (message, help) = reason(evidence, isDirect: isDirect) else { return nil }
  if case .proxy = evidence.wellKnown.fault { return Finding(.proxyRefuses, message, help: help) }
  return Finding(.notChecked, message, help: help)
}

/// - Returns: The message, and the help text. If the help text is nil, the finding uses the help
///   text of its kind.
private func reason(
  _ evidence: DomainEvidence, isDirect: Bool
) -> (message: String, help: String?)? {
  let first = evidence.wellKnown
  if let fault = first.fault {
    return reason(first, fault, evidence, isDirect: isDirect) ?? localReason(evidence)
  }
  if let reason = localReason(evidence) { return reason }
  // The domain's server never sends this status. A network sends this status to require a sign-in
  // (RFC 6585 section 6).
  if first.head?.status == 511 {
    return (
      "this network requires a sign-in (511)", "sign in to the network, or use another network"
    )
  }
  if let faults = first.tls?.verification.faults, !faults.isEmpty,
    case .untrusted = evidence.cdn?.fault
  {
    return (
      "this machine trusts neither the certificate of the domain nor the certificate of Apple's "
        + "CDN",
      "install root certificates (ca-certificates), or give your company's root certificate with "
        + "--ca; a proxy that intercepts TLS presents its own certificates"
    )
  }
  if let copy = evidence.cdn?.response, isSignInPage(copy.head, copy.body), !isFile(first) {
    return (
      "this network requires a sign-in: a web page answers in place of Apple's CDN",
      "sign in to the network, or use another network"
    )
  }
  return nil
}

/// If this machine's hosts file lists a private address for the host, returns why the domain cannot
/// be checked: devices get the host's addresses from DNS. Otherwise nil.
private func localReason(_ evidence: DomainEvidence) -> (message: String, help: String?)? {
  let host = evidence.target.host
  guard !evidence.hasOrigin, !evidence.wellKnown.usesProxy, evidence.target.isPublicName,
    let address = evidence.addresses.first(where: { $0.privateKind != nil }),
    evidence.world.isInHostsFile(host)
  else { return nil }
  return (
    "this machine's /etc/hosts maps \(host) to \(address.host), but devices use DNS",
    "remove the line from /etc/hosts; to check the server at this address, use --resolve "
      + "\(host):\(evidence.target.port ?? 443):\(address.host)"
  )
}

private func isSignInPage(_ head: ReceivedHead, _ body: [UInt8]) -> Bool {
  head.isRedirect || head.status == 200 && isPage(body)
}

private func reason(
  _ exchange: Exchange, _ fault: FetchFault, _ evidence: DomainEvidence, isDirect: Bool
) -> (message: String, help: String?)? {
  switch fault {
  case .proxy, .privateAddress:
    return (fault.description, fault.help)
  case .unreachable where exchange.usesProxy:
    return ("the proxy is unreachable: \(fault)", "check HTTPS_PROXY")
  case .unreachable(let attempts) where evidence.world.isWithoutRoute(fault):
    // Another finding already reports the fault: the domain's address is private, or Apple's CDN
    // has no file.
    if !isDirect, !privateAddressFindings(evidence).isEmpty || hasFailure(evidence.cdn) {
      return nil
    }
    let families = Set(attempts.map { $0.address.isIPv4 ? "IPv4" : "IPv6" }).sorted()
    return (
      "this machine has no route to the domain's addresses: it has no "
        + families.joined(separator: " and no ") + copyWords(evidence.cdn), nil
    )
  case .unresolved(.noAddress), .unreachable, .timedOut, .lost:
    guard let other = evidence.cdn?.fault, isOfNetwork(other) else { return nil }
    return ("neither the domain nor Apple's CDN can be reached: \(fault)", nil)
  case .unresolved:
    guard let cdn = evidence.cdn else { return (fault.description, nil) }
    guard let other = cdn.fault, isOfNetwork(other) else { return nil }
    return ("neither the domain nor Apple's CDN can be reached: \(fault)", nil)
  default: return nil
  }
}

/// Words for the end of a sentence: Apple's CDN has a copy, and devices get this copy even though
/// this machine cannot reach the domain. Empty if the CDN has no copy.
private func copyWords(_ cdn: Exchange?) -> String {
  guard let cdn, let head = cdn.head, isFile(cdn), servedDocument(cdn) != nil else { return "" }
  return "; Apple's CDN has the file\(age(of: head)), and devices get this copy"
}

/// Whether Apple's CDN has no file and sends the reason.
private func hasFailure(_ cdn: Exchange?) -> Bool {
  cdn?.head.map { $0.status != 200 && $0.value(of: "apple-failure-reason") != nil } ?? false
}

private func isOfNetwork(_ fault: FetchFault) -> Bool {
  switch fault {
  case .unresolved, .unreachable, .timedOut, .lost, .proxy: true
  default: false
  }
}

extension Kind {
  static let notChecked = Kind(
    "F008", "not-checked", "the domain could not be checked from this machine",
    "the domain's state is unknown, because of this machine's network, resolver, proxy or missing "
      + "root certificates; the exit code is 4", nil, effect: .unknown,
    fix: "check this machine's network, its resolver and HTTPS_PROXY, or run the check on another "
      + "machine")
}
