internal import Client
internal import HTTP
internal import Posix
internal import TLS

/// Looks whether a name leads here, before a CA is asked: from every address, as the CA does it.
struct Preflight {
  let thumbprint: String
  let context: ClientContext
  /// A private CA may reach what the public internet does not.
  let isPrivate: Bool
  let certificates: ChallengeCertificates?
  /// The applicant, for CAA records. Asked only when there are some; the account is needed when one of them
  /// names an account.
  let applicant: (_ needsAccount: Bool) throws(CallFault) -> Applicant

  /// What an address showed.
  enum Sight: Equatable {
    case here
    /// It leads elsewhere: what answers there.
    case elsewhere(String)
    /// It cannot be asked from here, which a CA may be able to do.
    case unknown
  }

  /// Throws what is wrong with the name. Returns false when nothing is, as far as can be seen, and yet
  /// not every address could be asked from here.
  func check(_ host: String, _ kind: ChallengeKind) throws(PreflightFault) -> Bool {
    if let fault = nameFault(host, isPrivate: isPrivate) { throw .name(fault) }
    if kind == .record {
      try checkRecord(host)
      try checkAuthorization(host, kind)
      return true
    }
    let addresses: [SocketAddress]
    do throws(ResolutionFault) {
      addresses = try resolve(
        host, port: kind == .http ? 80 : 443, until: Deadline(afterMilliseconds: 10_000))
    } catch {
      throw .name(
        NameFault(
          error.description,
          help: "set A and AAAA records of \(host) that lead to this server"))
    }
    var isSeen = true
    for address in addresses {
      if let kind = address.privateKind, !isPrivate {
        throw .name(
          NameFault(
            "\(host) leads to \(address.host), \(kind), which no public CA can reach",
            help: "set A and AAAA records of \(host) to public addresses of this server"))
      }
      let sight =
        kind == .http ? look(at: address, host) : lookForCertificate(at: address, host)
      if sight == .unknown { isSeen = false }
      if case .elsewhere(let what) = sight {
        let way = kind == .http ? "pass /.well-known/acme-challenge/" : "pass its port 443"
        let others = addresses.count > 1 ? "; the CA may ask any of its addresses" : ""
        throw .name(
          NameFault(
            "\(host) does not lead here: \(address.host) \(what)\(others)",
            help: address.isIPv4
              ? "set the A record to this server, or let what answers there \(way) on to it"
              : "remove the AAAA record, or make this server answer there"))
      }
    }
    try checkAuthorization(host, kind)
    return isSeen
  }

  /// Asks one address for a proof.
  private func look(at address: SocketAddress, _ host: String) -> Sight {
    let token = base64url(randomBytes(24))
    guard
      var request = FetchRequest(.http, host: host, path: "/.well-known/acme-challenge/\(token)")
    else { return .elsewhere("cannot be asked") }
    var options = FetchOptions()
    options.timeout = Limits.proofTimeout
    options.origin = address
    options.goesOnUntrusted = true
    // As many redirects as Let's Encrypt follows.
    for _ in 0...10 {
      let exchange = fetch(request, options, context: context)
      guard let (head, body) = exchange.response else { return sight(of: exchange) }
      if head.isRedirect, let next = head.value(of: "location").flatMap(Issuance.request) {
        request = next
        if next.host != host { options.origin = nil }
        if next.host == host { options.origin?.port = next.port }
        continue
      }
      if body == Array("\(token).\(thumbprint)".utf8), head.status == 200 { return .here }
      let server = head.value(of: "server").map { " as \"\(visible($0))\"" } ?? ""
      return .elsewhere("answers\(server) with \(head.status), and not as this server does")
    }
    return .elsewhere("redirects for ever")
  }

  /// Asks one address for a certificate that is nowhere else.
  private func lookForCertificate(at address: SocketAddress, _ host: String) -> Sight {
    guard let certificates,
      let serial = try? certificates.show(host, base64url(randomBytes(24)))
    else { return .elsewhere("cannot be asked") }
    defer { certificates.remove(host) }
    let facts = handshake(
      for: host, at: address, protocolName: ChallengeCertificates.protocolName, context: context,
      milliseconds: Limits.proofTimeout)
    guard let facts else {
      return .elsewhere("does not answer on port 443 as this server does")
    }
    return facts.verification.chain.first?.serial == serial
      ? .here : .elsewhere("shows another certificate on port 443 than this server does")
  }

  private func sight(of exchange: Exchange) -> Sight {
    switch exchange.fault {
    // A router may not lead what comes from inside back to it, and there may be no IPv6 here.
    case .timedOut(.connect, _, _): return .unknown
    case .unreachable(let attempts):
      guard let error = attempts.last?.error else { return .unknown }
      return error.isUnreachable ? .unknown : .elsewhere("cannot be connected to: \(error.reason)")
    case let fault?: return .elsewhere("does not answer as this server does: \(fault.description)")
    case nil: return .unknown
    }
  }

  /// Asks for the record that somebody has set.
  private func checkRecord(_ host: String) throws(PreflightFault) {
    let applicant = try applicant(needsAccount: true)
    let name = PersistentRecord.name(of: host)
    let values: [String]
    do throws(RecordQueryFault) {
      values = textRecords(in: try queryRecords(name, type: PersistentRecord.type)) ?? []
    } catch {
      throw .name(
        NameFault(
          "the TXT record \(name) cannot be read",
          help: "look at the name servers of \(domain(of: host))"))
    }
    if let fault = recordFault(values, for: host, applicant, now: Clock.wallSeconds()) {
      throw .name(fault)
    }
  }

  private func applicant(needsAccount: Bool) throws(PreflightFault) -> Applicant {
    do throws(CallFault) { return try applicant(needsAccount) } catch { throw .call(error) }
  }

  private func checkAuthorization(
    _ host: String, _ kind: ChallengeKind
  ) throws(PreflightFault) {
    let found: NearestAuthorization
    do throws(NameFault) {
      found = try nearestAuthorization(above: domain(of: host))
    } catch {
      throw .name(error)
    }
    guard let nearest = found.domain else { return }
    let needsAccount = found.records.contains { $0.value.lowercased().contains("accounturi") }
    let all = try applicant(needsAccount: needsAccount)
    let applicant = Applicant(
      identities: all.identities, account: all.account,
      methods: all.methods.filter { ($0 == ChallengeKind.record.rawValue) == (kind == .record) })
    let fault = obstacle(
      in: found.records, of: nearest, for: applicant, isWildcard: isWildcard(host))
    if let fault { throw .name(fault) }
  }
}

enum PreflightFault: Error {
  case name(NameFault)
  case call(CallFault)
}
