internal import Client
internal import Diagnostics
internal import HTTP
internal import Posix
internal import TLS

/// What is wrong on the way to the server: name, addresses, TLS.
func connectionFindings(_ evidence: DomainEvidence) -> [Finding] {
  addressFindings(evidence) + tlsFindings(evidence)
    + (evidence.wellKnown.fault.map { [finding(of: $0, evidence.wellKnown)] } ?? [])
    + otherAddressFindings(evidence)
}

private func addressFindings(_ evidence: DomainEvidence) -> [Finding] {
  // An address that was given is meant; so is one that was asked for by itself, or `localhost`.
  if evidence.hasOrigin || !evidence.target.isPublicName { return [] }
  // A proxy's address says nothing of the domain's.
  if evidence.wellKnown.usesProxy { return [] }
  return evidence.wellKnown.addresses.compactMap { address in
    address.privateKind.map { kind in
      Finding(
        .error, "F003", "\(evidence.target.host) has \(kind): \(address.host)",
        help:
          "let the name lead to addresses that the whole internet reaches; Apple's CDN connects "
          + "to no others")
    }
  }
}

/// How many days before its end a certificate is warned of.
private let warningDays: Int64 = 14

private func tlsFindings(_ evidence: DomainEvidence) -> [Finding] {
  if evidence.target.scheme == .http {
    return [
      Finding(
        .warning, "F009", "the file was asked for by plain HTTP, as was wished",
        help: "devices and Apple's CDN ask by HTTPS only: check https:// too")
    ]
  }
  guard let verification = evidence.wellKnown.tls?.verification else { return [] }
  var findings = verification.faults.map { fault in
    var finding = Finding(.error, code(of: fault), fault.description, help: fault.help)
    finding.evidence = verification.chain.enumerated().map { index, certificate in
      "certificate \(index + 1): \"\(certificate.subject)\", issued by \"\(certificate.issuer)\", "
        + "until \(certificate.lastDay)"
    }
    return finding
  }
  if let leaf = verification.chain.first {
    let days = leaf.daysLeft(at: evidence.now)
    if (0..<warningDays).contains(days) {
      findings.append(
        Finding(
          .warning, "F019", "the certificate expires in \(days) days, on \(leaf.lastDay)",
          help: "renew it, and see why that did not happen by itself"))
    }
  }
  return findings
}

private func code(of fault: TrustFault) -> String {
  switch fault {
  case .wrongName: "F012"
  case .expired: "F013"
  case .notYetValid: "F014"
  case .selfSigned: "F015"
  case .incompleteChain: "F016"
  case .unknownAuthority: "F017"
  case .noCertificate, .other: "F018"
  }
}

/// What ended a fetch.
func finding(of fault: FetchFault, _ exchange: Exchange) -> Finding {
  let code =
    switch fault {
    case .unresolved(.noAddress): "F001"
    case .unresolved: "F002"
    case .unreachable: "F004"
    case .proxy: "F007"
    case .notTLS: "F010"
    case .tlsUnusable, .handshake: "F011"
    case .untrusted: "F018"
    case .lost, .timedOut: "F020"
    case .response: "F021"
    case .content, .unknownCoding: "F022"
    }
  return Finding(.error, code, fault.description, exchange, help: fault.help)
}

/// Devices take whichever address comes first: all must give the same answer.
private func otherAddressFindings(_ evidence: DomainEvidence) -> [Finding] {
  let first = evidence.wellKnown
  return evidence.others.compactMap { other in
    guard let address = other.addresses.first else { return nil }
    if let fault = other.fault {
      if first.fault == fault { return nil }
      return Finding(
        .error, "F005", "the address \(address.host) gives no answer: \(fault)", other,
        help: "mend what stands at this address, or take it out of DNS; devices use any of them")
    }
    guard let expected = first.response, let found = other.response,
      expected.head.status != found.head.status || expected.body != found.body
    else { return nil }
    return Finding(
      .error, "F006",
      "the address \(address.host) gives another answer than \(first.address?.host ?? "the first")",
      other, help: "bring all servers of the host to the same version of the file")
  }
}
