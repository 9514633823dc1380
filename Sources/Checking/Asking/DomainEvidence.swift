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
  let cdn: Exchange?
  /// The link that the user asked about, by itself.
  private(set) var link: Exchange?
  /// What is around the domain; nil when that was not looked at.
  private(set) var surroundings: Surroundings?
  /// Whether an address was given in place of the domain's own.
  let hasOrigin: Bool
  /// Seconds since 1970.
  let now: Int64

  /// How many addresses are asked.
  static let addresses = 8
  /// Milliseconds for each further answer of a server whose first one did not come in time.
  private static let impatience: Int64 = 5_000

  /// Asks for everything. Nil when the host can be none.
  ///
  /// - Parameters:
  ///   - cdn: nil when it is not to be asked.
  ///   - link: a path of this host that users open.
  init?(_ target: HostTarget, _ client: ClientSettings, cdn: CDNAddress?, link: String? = nil) {
    self.init(asking: target, client, cdn: cdn)
    var client = client
    if case .timedOut = wellKnown.fault {
      client.options.timeout = min(client.options.timeout, Self.impatience)
    }
    let trusting = Self.trusting(client)
    // A server that was not reached will not be reached a second time.
    guard !wellKnown.sent.isEmpty else { return }
    askElsewhere(trusting, askingAll: true, link: link)
    let isOrdinary = target.isPublicName && target.scheme == .https && target.port == nil
    if isOrdinary, trusting.options.origin == nil {
      surroundings = Surroundings(target, trusting)
    }
  }

  /// Asks as Apple's robot only, at every address.
  init?(watching target: HostTarget, _ client: ClientSettings, cdn: CDNAddress?) {
    self.init(asking: target, client, cdn: cdn)
    if !wellKnown.sent.isEmpty {
      askElsewhere(Self.trusting(client), askingAll: false, link: nil)
    }
  }

  /// Asks the domain and the CDN once, beside each other.
  private init?(asking target: HostTarget, _ client: ClientSettings, cdn: CDNAddress?) {
    guard let first = target.request(path: associationPaths[0]) else { return nil }
    self.target = target
    now = Clock.wallSeconds()
    hasOrigin = client.isResolved(target)
    let copy = cdn?.request(for: target.host)
    let answers = inParallel(copy == nil ? 1 : 2, slice: 1, threads: 2) { range in
      range.map { index -> Exchange in
        if index == 1, let copy { return client.fetch(copy, isOwn: false) }
        return Self.trusting(client).fetch(first)
      }
    }.joined()
    let found = Array(answers)
    wellKnown = found[0]
    self.cdn = found.count > 1 ? found[1] : nil
  }

  /// What is asked beside each other once the first answer is there.
  private enum Question {
    case root
    case identity(ClientIdentity)
    case address(SocketAddress)
    case link(FetchRequest)
  }

  private mutating func askElsewhere(_ client: ClientSettings, askingAll: Bool, link: String?) {
    guard let first = target.request(path: associationPaths[0]),
      let second = target.request(path: associationPaths[1])
    else { return }
    var questions: [Question] = [.root]
    if askingAll { questions += [.identity(.device), .identity(.browser)] }
    if !hasOrigin && !wellKnown.usesProxy {
      questions += wellKnown.addresses.prefix(Self.addresses)
        .filter { $0 != wellKnown.address }.map { .address($0) }
    }
    if let request = link.flatMap({ target.request(path: $0) }) { questions.append(.link(request)) }
    let asked = questions
    let answers = inParallel(asked.count, slice: 1, threads: asked.count) { range in
      asked[range].map { question -> Exchange in
        var client = client
        switch question {
        case .root: return client.fetch(second)
        case .identity(let identity): client.options.userAgent = identity.userAgent
        case .address(let address): client.options.origin = address
        case .link(let request):
          client.options.userAgent = ClientIdentity.browser.userAgent
          return client.fetch(request)
        }
        return client.fetch(first)
      }
    }.joined()
    for (question, answer) in zip(asked, answers) {
      switch question {
      case .root: root = answer
      case .identity(let identity): identities.append((identity, answer))
      case .address: others.append(answer)
      case .link: self.link = answer
      }
    }
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
      + (cdn.map { [$0] } ?? []) + (link.map { [$0] } ?? []) + (surroundings?.exchanges ?? [])
  }

  /// Addresses to which this machine has no route, such as those of IPv6 in most containers: they say
  /// nothing of the domain.
  func isWithoutRoute(_ address: SocketAddress) -> Bool {
    exchanges.contains { exchange in
      guard case .unreachable = exchange.fault else { return false }
      return exchange.addresses.contains(address)
    } && !hasRoute(to: address)
  }
}
