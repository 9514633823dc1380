internal import Client
internal import HTTP
internal import Posix

/// The evidence about a domain: the answers to the requests that Apple makes.
struct DomainEvidence {
  let target: HostTarget
  /// The path in `.well-known`, at the address that the system prefers.
  let wellKnown: Exchange
  /// The path at the root; nil if the server could not be reached at all.
  private(set) var root: Exchange?
  /// The path in `.well-known`, at each other address.
  private(set) var others: [Exchange] = []
  /// The path in `.well-known`, requested by other clients than Apple's robot.
  private(set) var identities: [(identity: ClientIdentity, exchange: Exchange)] = []
  /// The answer of Apple's CDN; nil if it was not asked.
  let cdn: Exchange?
  /// The answer for the link that the user asked about.
  private(set) var link: Exchange?
  /// The answer for Android's file; nil if it was not asked for.
  private(set) var assetLinks: Exchange?
  /// The checks in the vicinity of the domain; nil if they were not made.
  private(set) var vicinity: VicinityChecks?
  /// Whether an address was given instead of the domain's own.
  let hasOrigin: Bool
  /// Seconds since 1970.
  let now: Int64

  /// The most addresses that are checked.
  static let addresses = 8
  /// Milliseconds for each further answer of a server whose first one timed out.
  private static let retryTimeout: Int64 = 5_000

  /// Makes all requests. Nil if the host is invalid.
  ///
  /// - Parameters:
  ///   - cdn: Nil if the CDN is not to be asked.
  ///   - link: A path of this host that users open.
  init?(_ target: HostTarget, _ client: ClientSettings, cdn: CDNAddress?, link: String? = nil) {
    self.init(asking: target, client, cdn: cdn)
    var client = client
    if case .timedOut = wellKnown.fault {
      client.options.timeout = min(client.options.timeout, Self.retryTimeout)
    }
    let trusting = Self.trusting(client)
    // A server that was not reached will not be reached a second time.
    guard !wellKnown.sent.isEmpty else { return }
    askElsewhere(trusting, askingAll: true, link: link)
    // If the server hangs, checks of its vicinity would only cost more time.
    if case .timedOut = wellKnown.fault { return }
    let isOrdinary = target.isPublicName && target.scheme == .https && target.port == nil
    if isOrdinary, trusting.options.origin == nil {
      vicinity = VicinityChecks(target, trusting)
    }
    assetLinks = vicinity?.assetLinks
  }

  /// Makes the requests of Apple's robot only, at every address.
  ///
  /// - Parameter asksForLinks: Whether Android's file is asked for too.
  init?(
    watching target: HostTarget, _ client: ClientSettings, cdn: CDNAddress?, asksForLinks: Bool
  ) {
    self.init(asking: target, client, cdn: cdn)
    guard !wellKnown.sent.isEmpty else { return }
    let trusting = Self.trusting(client)
    askElsewhere(trusting, askingAll: false, link: nil)
    if asksForLinks, let request = target.request(path: "/.well-known/assetlinks.json") {
      assetLinks = trusting.fetch(request)
    }
  }

  /// Asks the domain and the CDN once, in parallel.
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

  /// The requests that are made in parallel after the first answer.
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

  /// The files of a domain are worth a check even if its certificate is not trusted; a CDN's copy
  /// is not.
  private static func trusting(_ client: ClientSettings) -> ClientSettings {
    var client = client
    client.options.goesOnUntrusted = true
    return client
  }

  /// The answer that Apple uses: that of `.well-known`, or of the root if there is none.
  var chosen: Exchange {
    guard let root, root.response?.head.status == 200,
      let status = wellKnown.response?.head.status, status == 404 || status == 410
    else { return wellKnown }
    return root
  }

  /// All exchanges, in order.
  var exchanges: [Exchange] {
    [wellKnown] + (root.map { [$0] } ?? []) + identities.map(\.exchange) + others
      + (cdn.map { [$0] } ?? []) + (link.map { [$0] } ?? []) + (vicinity?.exchanges ?? [])
  }

  /// Whether this machine has no route to an address, such as an IPv6 one in most containers, which
  /// says nothing about the domain.
  func isWithoutRoute(_ address: SocketAddress) -> Bool {
    exchanges.contains { exchange in
      guard case .unreachable = exchange.fault else { return false }
      return exchange.addresses.contains(address)
    } && !hasRoute(to: address)
  }
}
