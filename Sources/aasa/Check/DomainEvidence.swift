internal import Client
internal import HTTP
internal import Posix

/// What was seen of a domain: the answers to the requests that Apple makes.
struct DomainEvidence {
  let target: HostTarget
  /// The path in `.well-known`, by the address that the system prefers.
  let wellKnown: Exchange
  /// The path at the root; nil when the server could not be asked at all.
  private(set) var root: Exchange?
  /// The path in `.well-known`, by each other address.
  private(set) var others: [Exchange] = []
  /// The path in `.well-known`, asked for by others than Apple's robot.
  private(set) var identities: [(identity: ClientIdentity, exchange: Exchange)] = []
  /// The answer of Apple's CDN; nil when it was not asked.
  private(set) var cdn: Exchange?
  /// What is around the domain; nil when that was not looked at.
  private(set) var surroundings: Surroundings?
  /// Whether an address was given in place of the domain's own.
  let hasOrigin: Bool
  /// Seconds since 1970.
  let now: Int64

  /// How many addresses are asked.
  private static let addresses = 8

  /// Asks. Nil when the host can be none.
  ///
  /// - Parameter cdn: nil when it is not to be asked.
  init?(_ target: HostTarget, _ client: ClientSettings, cdn: CDNAddress?) {
    self.init(watching: target, client, cdn: cdn)
    // Who did not come as far as a request will not do so a second time.
    guard !wellKnown.sent.isEmpty, let first = target.request(path: associationPaths[0]) else {
      return
    }
    let client = Self.trusting(client)
    for identity in [ClientIdentity.device, .browser] {
      var other = client
      other.options.userAgent = identity.userAgent
      identities.append((identity, other.fetch(first)))
    }
    let isOrdinary = target.isPublicName && target.scheme == .https && target.port == nil
    if isOrdinary, client.options.origin == nil { surroundings = Surroundings(target, client) }
    if hasOrigin || wellKnown.usesProxy { return }
    for address in wellKnown.addresses.prefix(Self.addresses) where address != wellKnown.address {
      var other = client
      other.options.origin = address
      others.append(other.fetch(first))
    }
  }

  /// The same in short, for who looks again and again: Apple's robot alone, at one address.
  init?(watching target: HostTarget, _ client: ClientSettings, cdn: CDNAddress?) {
    guard let first = target.request(path: associationPaths[0]),
      let second = target.request(path: associationPaths[1])
    else { return nil }
    self.cdn = cdn?.request(for: target.host).map { client.fetch($0, isOwn: false) }
    let client = Self.trusting(client)
    self.target = target
    now = Clock.wallSeconds()
    hasOrigin = client.isResolved(target)
    wellKnown = client.fetch(first)
    root = wellKnown.sent.isEmpty ? nil : client.fetch(second)
  }

  /// What a domain serves is worth looking at, too, when it is not trusted; a CDN's copy is not.
  private static func trusting(_ client: ClientSettings) -> ClientSettings {
    var client = client
    client.options.goesOnUntrusted = true
    return client
  }

  /// The answer that Apple takes: that of `.well-known`, or of the root where there is nothing.
  var chosen: Exchange {
    guard let root, root.response?.head.status == 200,
      let status = wellKnown.response?.head.status, status == 404 || status == 410
    else { return wellKnown }
    return root
  }

  /// All that was asked, in order.
  var exchanges: [Exchange] {
    [wellKnown] + (root.map { [$0] } ?? []) + identities.map(\.exchange) + others
      + (cdn.map { [$0] } ?? []) + (surroundings?.exchanges ?? [])
  }
}
