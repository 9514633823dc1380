internal import Client
internal import Posix
internal import TLS

/// A check of one name before a CA is asked, as the CA would do it: all addresses at once, and one
/// deadline for everything.
package struct NameCheck: Sendable {
  /// Of the account's key, as this server answers.
  let thumbprint: String
  let context: ClientContext
  /// A private CA may reach what the public internet does not.
  let isPrivate: Bool
  let certificates: ChallengeCertificates?
  /// Nil while the CA has not said who we are.
  let applicant: Applicant?
  var deadline = Deadline(afterMilliseconds: Limits.nameCheck)

  /// What came of it.
  package enum Outcome: Sendable, Equatable {
    /// The name leads here.
    case ready(ChallengeKind)
    /// Nothing is wrong as far as this machine can see, and it does not see everything.
    case unseen(ChallengeKind)
    case fault(NameFault)
    /// A record names an account, or the CA, and ours is not known yet.
    case needsAccount
  }

  /// What one address showed.
  enum Sight: Sendable, Equatable {
    case here
    /// It leads elsewhere: what answers there.
    case elsewhere(String)
    /// It cannot be asked from here, which a CA may be able to do.
    case unknown
  }

  enum Obstacle: Error {
    case name(NameFault)
    case needsAccount
  }

  /// Looks whether a CA would give a certificate for a host, without the server that would answer it.
  package func trial(_ host: String) -> Outcome {
    var check = self
    check.deadline = Deadline(afterMilliseconds: Limits.nameCheck)
    let kinds = applicant?.methods.compactMap(ChallengeKind.init(rawValue:)).filter { $0 != .tls }
    return check.run(
      host, kinds?.contains { $0.challenge.fits(host) } == true ? kinds ?? [] : [.record])
  }

  /// - Parameter kinds: the challenges that may be used, in the order in which they are tried.
  func run(_ host: String, _ kinds: [ChallengeKind]) -> Outcome {
    if let fault = nameFault(host, isPrivate: isPrivate) { return .fault(fault) }
    var first: NameFault?
    var possible: ChallengeKind?
    for kind in kinds where kind.challenge.fits(host) {
      do throws(Obstacle) {
        let isSeen = try kind.challenge.preflight(host, self)
        try checkAuthorization(host, kind)
        if isSeen { return .ready(kind) }
        possible = possible ?? kind
      } catch {
        switch error {
        case .needsAccount: return .needsAccount
        case .name(let fault): first = first ?? fault
        }
      }
    }
    if let possible { return .unseen(possible) }
    return .fault(
      first
        ?? NameFault(
          "no challenge of acmeChallenges works for \(host)",
          help: "let acmeChallenges have \(isWildcard(host) ? "dns-persist-01" : "http-01")"))
  }

  /// Asks all addresses of a name at once.
  ///
  /// - Parameters:
  ///   - way: what a server in between would have to pass on.
  ///   - look: asks one address.
  func ask(
    _ host: String, port: UInt16, toPassOn way: String,
    _ look: @escaping @Sendable (SocketAddress) -> Sight
  ) throws(Obstacle) -> Bool {
    let addresses: [SocketAddress]
    do throws(ResolutionFault) {
      addresses = try publicAddresses(of: host, port: port, until: deadline)
    } catch {
      throw .name(
        NameFault(
          error.description, help: "set A and AAAA records of \(host) that lead to this server"))
    }
    if !isPrivate, let (address, kind) = Self.privateOne(of: addresses) {
      throw .name(
        NameFault(
          "\(host) leads to \(address.host), \(kind), which no public CA can reach",
          help: "set A and AAAA records of \(host) to public addresses of this server"))
    }
    let asked = Array(addresses.prefix(Limits.addresses))
    let sights = inParallel(asked.count, slice: 1, threads: asked.count) { slice in
      look(asked[slice.lowerBound])
    }
    for (address, sight) in zip(asked, sights) {
      guard case .elsewhere(let what) = sight else { continue }
      let others = addresses.count > 1 ? "; the CA may ask any of its addresses" : ""
      throw .name(
        NameFault(
          "\(host) does not lead here: \(address.host) \(what)\(others)",
          help: address.isIPv4
            ? "set the A record to this server, or let what answers there pass \(way) on to it"
            : "remove the AAAA record, or make this server answer there"))
    }
    return !sights.contains(.unknown)
  }

  /// Where a redirect may lead.
  enum Hop: Equatable {
    case allowed(SocketAddress)
    case refused(String)
  }

  /// Decides whether a redirect is followed: only where a public CA would go. Otherwise the owner of a
  /// name could let this server send requests to machines inside its network.
  ///
  /// - Parameter address: the one that redirects.
  func hop(to next: FetchRequest, from last: FetchRequest, at address: SocketAddress) -> Hop {
    if !isPrivate, next.port != 80, next.port != 443 {
      return .refused("CAs follow redirects to the ports 80 and 443 only")
    }
    if next.host == last.host {
      var same = address
      same.port = next.port
      return .allowed(same)
    }
    do throws(ResolutionFault) {
      let addresses = try publicAddresses(of: next.host, port: next.port, until: deadline)
      if !isPrivate, let (address, kind) = Self.privateOne(of: addresses) {
        return .refused("\(address.host) is \(kind)")
      }
      guard let first = addresses.first else { return .refused("it has no address") }
      return .allowed(first)
    } catch {
      return .refused(error.description)
    }
  }

  private static func privateOne(of addresses: [SocketAddress]) -> (SocketAddress, String)? {
    for address in addresses {
      if let kind = address.privateKind { return (address, kind) }
    }
    return nil
  }

  private func checkAuthorization(_ host: String, _ kind: ChallengeKind) throws(Obstacle) {
    let found: NearestAuthorization
    do throws(NameFault) {
      found = try nearestAuthorization(above: domain(of: host), until: deadline)
    } catch {
      throw .name(error)
    }
    guard let nearest = found.domain else { return }
    guard let all = applicant else { throw .needsAccount }
    let namesAccount = found.records.contains { $0.value.lowercased().contains("accounturi") }
    if namesAccount, all.account == nil { throw .needsAccount }
    let applicant = Applicant(
      identities: all.identities, account: all.account, methods: [kind.rawValue])
    let fault = obstacle(
      in: found.records, of: nearest, for: applicant, isWildcard: isWildcard(host))
    if let fault { throw .name(fault) }
  }
}

extension NameCheck {
  /// For trials: nothing is shown to CAs.
  package init(thumbprint: String, isPrivate: Bool, applicant: Applicant) throws {
    self.init(
      thumbprint: thumbprint, context: try ClientContext(trust: try TrustStore.system()),
      isPrivate: isPrivate, certificates: nil, applicant: applicant)
  }
}

/// The addresses of a name in the public DNS, without the search domains of this machine: below one
/// that has a wildcard, every name would seem to exist. A name in the hosts file counts.
func publicAddresses(
  of host: String, port: UInt16, until deadline: Deadline, hostsFile: String = "/etc/hosts"
) throws(ResolutionFault) -> [SocketAddress] {
  if SocketAddress(literal: host, port: port) != nil || host.hasSuffix(".") {
    return try resolve(host, port: port, until: deadline)
  }
  let text = (try? readFile(hostsFile, limit: 1_048_576)) ?? []
  let own = addresses(of: host, port: port, inHostsFile: String(decoding: text, as: UTF8.self))
  if !own.isEmpty { return own }
  do throws(ResolutionFault) {
    return try resolve(host + ".", port: port, until: deadline)
  } catch {
    throw error.named(host)
  }
}

/// The addresses that a hosts file (hosts(5)) has for a name.
func addresses(of host: String, port: UInt16, inHostsFile text: String) -> [SocketAddress] {
  text.split(whereSeparator: \.isNewline).compactMap { line in
    let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
    guard let first = words.first, words.dropFirst().contains(where: { $0.lowercased() == host })
    else { return nil }
    return SocketAddress(literal: String(first), port: port)
  }
}

extension ResolutionFault {
  /// The same about a name as its owner writes it.
  fileprivate func named(_ host: String) -> Self {
    switch self {
    case .noAddress: .noAddress(host: host)
    case .timedOut: .timedOut(host: host)
    case .failed(_, let reason): .failed(host: host, reason: reason)
    }
  }
}
