internal import Bytes
internal import Client
package import Posix
package import Settings
internal import Synchronization
internal import TLS

/// Checks one name as the CA would, before an order is created. Checks all addresses of the name at
/// once. The whole check has one deadline.
package struct NameCheck: Sendable {
  /// The thumbprint of the account's key, which is in this server's answers to challenges.
  let thumbprint: String
  let context: ClientContext
  /// Whether the CA is private. A private CA may reach hosts that the public internet cannot reach.
  let isPrivate: Bool
  var challenges: Challenges
  /// What CAA records must permit; nil until the CA's names are known.
  let caaIdentity: CAAIdentity?
  var rivals = Rivals()
  /// The name server for DNS queries; nil for the system's name server.
  var resolver: SocketAddress?
  var deadline = Deadline(afterMilliseconds: IssuanceLimits.nameCheck)

  /// The result of a check.
  package enum Outcome: Sendable, Equatable {
    /// The name points to this server.
    case ready(ChallengeKind)
    /// This machine has found no fault, but a part of the check was not possible.
    case unseen(ChallengeKind)
    case fault(IssuanceFailure)
    /// A CAA record lists an account or a CA, but our account or the CA's names are not known yet.
    case needsAccount
  }

  /// The result for one address.
  enum AddressResult: Sendable, Equatable {
    case here
    /// The address points to another server. The text describes that server's response.
    case elsewhere(String)
    /// No server at the address gives a valid response. The text says why.
    case silent(String)
    /// Another aasa server answers with a different account. The text identifies that account.
    case rival(String)
    /// The address cannot be reached from this machine, but a CA may reach it.
    case unknown
  }

  /// Checks, for a command outside the server, whether a CA would issue a host's certificate.
  package func trial(_ host: String) -> Outcome {
    var check = self
    check.deadline = Deadline(afterMilliseconds: IssuanceLimits.nameCheck)
    if challenges.fitting(host).isEmpty { check.challenges.kinds = [.firstFitting(host)] }
    return check.run(host)
  }

  func run(_ host: String) -> Outcome {
    if let fault = nameFault(host, isPrivate: isPrivate) { return .fault(fault) }
    return run(host) { kind throws(IssuanceFailure) in
      // Limit the time for addresses that do not answer, to leave time for the CAA records.
      var own = self
      own.deadline = deadline.capped(toMilliseconds: deadline.millisecondsLeft * 4 / 5)
      let isSeen = try challenges[kind].preflight(host, own)
      let found = try nearestAuthorization(above: domain(of: host), by: resolver, until: deadline)
      try checkAuthorization(found, host, kind)
      return isSeen
    }
  }

  /// - Parameter check: Checks one challenge, as `Challenge.preflight` does.
  func run(
    _ host: String, by check: (ChallengeKind) throws(IssuanceFailure) -> Bool
  ) -> Outcome {
    var first: IssuanceFailure?
    var possible: ChallengeKind?
    var hasRival = false
    for kind in challenges.fitting(host) {
      // The other account's server may also answer other challenges, so skip these challenges.
      if hasRival, !kind.isOfRecord { continue }
      do throws(IssuanceFailure) {
        if try check(kind) { return .ready(kind) }
        possible = possible ?? kind
      } catch {
        if error == .needsAccount { return .needsAccount }
        if error.kind == .rival { (hasRival, possible) = (true, nil) }
        first = first ?? error
      }
    }
    if let possible { return .unseen(possible) }
    if let first { return .fault(first) }
    return .fault(
      .name(
        "no challenge in the setting acmeChallenges works for \(host)",
        help: "add to acmeChallenges: \(ChallengeKind.firstFitting(host).rawValue)"))
  }

  /// Checks all addresses of a name at once.
  ///
  /// - Parameters:
  ///   - way: The words for messages that say what a proxy in front of this server must forward.
  ///   - addressResult: Checks one address.
  func ask(
    _ host: String, port: UInt16, toPassOn way: String,
    _ addressResult: @escaping @Sendable (SocketAddress) -> AddressResult
  ) throws(IssuanceFailure) -> Bool {
    let addresses: [SocketAddress]
    do throws(ResolutionFault) {
      addresses = try resolve(host, port: port, by: resolver, until: deadline, isComplete: true)
    } catch {
      throw .name(
        error.description,
        help: "set the A and AAAA records of \(host) to the addresses of this server")
    }
    if let (address, kind) = outOfReach(addresses) {
      throw .name(
        "\(host) resolves to \(address.host), \(kind), which no public CA can reach",
        help: "set the A and AAAA records of \(host) to public addresses of this server")
    }
    let asked = Array(addresses.prefix(IssuanceLimits.addresses))
    let results = inParallel(asked.count, slice: 1, threads: asked.count) { slice in
      addressResult(asked[slice.lowerBound])
    }
    for (address, addressResult) in zip(asked, results) {
      switch addressResult {
      case .here, .unknown: continue
      case .rival(let account):
        throw .rival(
          "\(host) also leads to another aasa server: \(address.host), with the account \(account)",
          help: "let one account get the certificates: start the other server with --acme-answer"
            + " \(thumbprint), or give both servers the same --acme-state folder")
      case .elsewhere(let what), .silent(let what):
        let others = addresses.count > 1 ? "; the CA may use any address of the name" : ""
        throw .name(
          "\(host) does not lead to this server: \(address.host) \(what)\(others)",
          help: address.isIPv4
            ? "set the A record to the address of this server, or let the server at "
              + "\(address.host) forward \(way) to this server"
            : "remove the AAAA record, or make this server answer at the address in the record")
      }
    }
    return !results.contains(.unknown)
  }

  /// Whether a redirect may be followed, and to which address.
  enum RedirectDecision: Equatable {
    case allowed(SocketAddress)
    case refused(String)
  }

  /// Decides whether to follow a redirect. Follows a redirect only to an address that a public CA
  /// could use, so that the owner of a name cannot make this server send requests to machines in
  /// the server's own network.
  ///
  /// - Parameter address: The address of the server that sent the redirect.
  func redirectDecision(to next: FetchRequest, from last: FetchRequest, at address: SocketAddress)
    -> RedirectDecision
  {
    if !isPrivate, next.port != 80, next.port != 443 {
      return .refused("CAs follow redirects to the ports 80 and 443 only")
    }
    if next.host == last.host { return .allowed(SocketAddress(address.address, port: next.port)) }
    do throws(ResolutionFault) {
      let addresses = try resolve(
        next.host, port: next.port, by: resolver, until: deadline, isComplete: true)
      if let (address, kind) = outOfReach(addresses) {
        return .refused("\(address.host) is \(kind)")
      }
      guard let first = addresses.first else {
        return .refused("the host in this URL has no address")
      }
      return .allowed(first)
    } catch {
      return .refused(error.description)
    }
  }

  /// Returns the first address that a public CA cannot reach, and the kind of this address.
  private func outOfReach(_ addresses: [SocketAddress]) -> (SocketAddress, String)? {
    if isPrivate { return nil }
    return addresses.lazy.compactMap { address in address.privateKind.map { (address, $0) } }.first
  }

  func checkAuthorization(
    _ found: NearestAuthorization, _ host: String, _ kind: ChallengeKind
  ) throws(IssuanceFailure) {
    guard let nearest = found.domain else { return }
    guard var caaIdentity else { throw .needsAccount }
    let namesAccount = found.records.contains { $0.value.lowercased().contains("accounturi") }
    if namesAccount, caaIdentity.account == nil { throw .needsAccount }
    caaIdentity.methods = [kind]
    let fault = obstacle(
      in: found.records, of: nearest, for: caaIdentity, isWildcard: isWildcard(host))
    if let fault { throw fault }
  }
}

extension NameCheck {
  /// Creates a name check for `trial`, which answers no challenges.
  package init(
    thumbprint: String, isPrivate: Bool, caaIdentity: CAAIdentity, resolver: SocketAddress? = nil
  ) throws {
    self.init(
      thumbprint: thumbprint, context: try ClientContext(trust: try TrustStore.system()),
      isPrivate: isPrivate,
      // Omit `tls-alpn-01`, because only a running server shows certificates.
      challenges: Challenges(kinds: caaIdentity.methods.filter { $0 != .tls }, shown: nil),
      caaIdentity: caaIdentity, resolver: resolver)
  }
}

/// Remembers the accounts that recently answered at each address. Each address gets several
/// requests, because a load balancer may choose a different server for each request.
final class Rivals: Sendable {
  /// For each address, the other account that answered. If no other account answered, the number of
  /// consecutive answers from our own account.
  private let met = Mutex<[IPAddress: (account: String?, own: Int, until: Int64)]>([:])

  /// Returns how many requests to send to an address for one name. One request is enough after many
  /// consecutive answers from our own account.
  func askings(at address: SocketAddress) -> Int {
    let own = met.withLock { $0[address.address]?.own ?? 0 }
    return own >= 2 * IssuanceLimits.askings ? 1 : IssuanceLimits.askings
  }

  /// Records and returns the result for an address. If another account recently answered at the
  /// address, returns `rival` instead, unless the address now points to a different server.
  func addressResult(after addressResult: NameCheck.AddressResult, at address: SocketAddress)
    -> NameCheck.AddressResult
  {
    let now = Clock.monotonicMilliseconds()
    return met.withLock { met in
      met = met.filter { $0.value.until > now }
      let until = now + IssuanceLimits.rivalLife
      switch addressResult {
      case .elsewhere: return addressResult
      case .rival(let account): met[address.address] = (account, 0, until)
      case .here, .silent, .unknown:
        if let account = met[address.address]?.account { return .rival(account) }
        if addressResult == .here { met[address.address, default: (nil, 0, until)].own += 1 }
      }
      return addressResult
    }
  }
}
