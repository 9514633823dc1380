internal import Client
internal import HTTP
internal import Posix

/// All answers about a domain: the answers to the requests that Apple's systems make, and the
/// answers to further requests that help to explain a fault.
struct DomainEvidence {
  let target: HostTarget
  /// The addresses of the host, in the order that the system prefers. If the request used a proxy,
  /// the addresses of the proxy.
  let addresses: [SocketAddress]
  /// The answer for the path in `.well-known` from the address that the system prefers. If that
  /// answer is faulty and another address returns a good answer, the good answer is stored here
  /// instead. So the order of addresses does not matter.
  private(set) var wellKnown: Exchange
  /// The answer for the path at the root; nil if the server could not be reached.
  private(set) var root: Exchange?
  /// The answers for the path in `.well-known` from the host's other addresses.
  private(set) var others: [Exchange] = []
  /// The answers for the path in `.well-known` to requests that imitate a client other than Apple's
  /// robot.
  private(set) var identities: [(identity: ClientIdentity, exchange: Exchange)] = []
  /// An answer to Apple's robot that contradicts `wellKnown`, another answer to the robot. Nil if
  /// the answers to the robot do not contradict each other.
  private(set) var contradiction: Exchange?
  /// The answer of the CDN about the domain; nil if the CDN was not asked.
  let cdn: Exchange?
  /// The answer for the link that the user gave; nil if this link was not requested.
  private(set) var link: Exchange?
  /// The answer for `assetlinks.json`; nil if this file was not requested.
  private(set) var assetLinks: Exchange?
  /// The answer for the file's path with `.json` at its end. This path is requested only if the
  /// server answers 404 for the correct path; otherwise nil.
  private(set) var otherName: Exchange?
  /// The checks of related hosts and files, such as the www domain; nil if these checks were not
  /// made.
  private(set) var relatedHosts: RelatedHostChecks?
  /// The target of the domain's CNAME record. Nil if the domain has no CNAME record, or if the
  /// domain has an address.
  let alias: String?
  /// Whether the user gave an address to use in place of the domain's own address.
  let hasOrigin: Bool
  /// The time of the check, in seconds since 1970.
  let now: Int64
  let world: World

  /// The maximum number of the domain's addresses to check.
  static let addresses = 64
  /// The maximum number of simultaneous requests.
  private static let parallel = 16
  /// The timeout in milliseconds for later requests. Used only if the server did not answer the
  /// first request in time.
  private static let retryTimeout: Int64 = 5_000

  /// Makes all requests of a complete check. Nil if the host is invalid.
  ///
  /// - Parameters:
  ///   - cdn: The CDN to ask; nil to ask no CDN.
  ///   - link: The path of a link to this host that users open; nil if the user gave no link.
  init?(_ target: HostTarget, _ client: ClientSettings, cdn: CDNAddress?, link: String? = nil) {
    self.init(asking: target, client, cdn: cdn)
    var client = client
    if case .timedOut = wellKnown.fault {
      client.options.timeout = min(client.options.timeout, Self.retryTimeout)
    }
    let trusting = Self.trusting(client)
    askElsewhere(trusting, askingAll: true, link: link)
    // If the server could not be reached, requests for other files would fail too. Do not make
    // them.
    guard !wellKnown.sent.isEmpty else { return }
    // If the server did not answer in time, requests for other files would time out too.
    if case .timedOut = wellKnown.fault { return }
    if Self.isOrdinary(target), trusting.options.origin == nil {
      relatedHosts = RelatedHostChecks(target, trusting)
    }
    assetLinks = relatedHosts?.assetLinks
  }

  /// Makes only the requests that Apple's robot makes, at every address of the host.
  ///
  /// - Parameter asksForLinks: Whether to request `assetlinks.json` too.
  init?(
    watching target: HostTarget, _ client: ClientSettings, cdn: CDNAddress?, asksForLinks: Bool
  ) {
    self.init(asking: target, client, cdn: cdn)
    let trusting = Self.trusting(client)
    askElsewhere(trusting, askingAll: false, link: nil)
    guard !wellKnown.sent.isEmpty else { return }
    if asksForLinks, let request = target.request(path: "/.well-known/assetlinks.json") {
      assetLinks = trusting.fetch(request)
    }
  }

  /// Returns whether devices would send requests to this target: a public host name, with HTTPS and
  /// the default port.
  static func isOrdinary(_ target: HostTarget) -> Bool {
    target.isPublicName && target.scheme == .https && target.port == nil
  }

  /// Makes the first request to the domain, and at the same time the request to the CDN.
  private init?(asking target: HostTarget, _ client: ClientSettings, cdn: CDNAddress?) {
    guard let first = target.request(path: associationPaths[0]) else { return nil }
    self.target = target
    world = client.world
    now = world.now()
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
    addresses = found[0].addresses
    alias =
      if case .unresolved(.noAddress) = wellKnown.fault { world.alias(target.host) } else { nil }
    self.cdn = found.count > 1 ? found[1] : nil
  }

  /// A request that is made after the first answer. All these requests are made in parallel.
  private enum Question {
    case root(FetchRequest)
    case identity(ClientIdentity)
    case address(SocketAddress)
    case link(FetchRequest)
  }

  private mutating func askElsewhere(_ client: ClientSettings, askingAll: Bool, link: String?) {
    guard let root = target.request(path: associationPaths[1]) else { return }
    var more: [Question] = [.root(root)]
    if askingAll { more += [.identity(.device), .identity(.browser)] }
    if let request = link.flatMap({ target.request(path: $0) }) { more.append(.link(request)) }
    var addressed: [Question] = []
    if !hasOrigin && !wellKnown.usesProxy {
      addressed = addresses.prefix(Self.addresses)
        .filter { $0 != wellKnown.address }.map { .address($0) }
    }
    var client = client
    if addressed.isEmpty || isSound(wellKnown) {
      guard !wellKnown.sent.isEmpty else { return }
      ask(addressed + more, client)
    } else {
      // If no address answered, the first request has already tried all addresses. Do not try the
      // addresses again.
      guard wellKnown.address != nil else { return }
      ask(addressed, client)
      if let index = others.firstIndex(where: isSound) {
        (wellKnown, others[index]) = (others[index], wellKnown)
        client.options.origin = wellKnown.address
      }
      guard !wellKnown.sent.isEmpty else { return }
      ask(more, client)
    }
    if askingAll {
      askAgain(client)
      askForOtherName(client)
    }
  }

  /// Requests the file with `.json` at the end of its path, because editors and site generators
  /// often add this extension.
  private mutating func askForOtherName(_ client: ClientSettings) {
    guard chosen.head?.status == 404 else { return }
    for path in associationPaths where !(otherName.map(isFile) ?? false) {
      otherName = target.request(path: path + ".json").map { client.fetch($0) }
    }
  }

  /// Whether the file is only at the root path, and not in `.well-known`.
  var isAtRootOnly: Bool { root.map { $0.request == chosen.request } ?? false }

  private mutating func ask(_ questions: [Question], _ client: ClientSettings) {
    guard !questions.isEmpty else { return }
    let first = wellKnown.request
    let threads = min(questions.count, Self.parallel)
    let answers = inParallel(questions.count, slice: 1, threads: threads) { range in
      questions[range].map { question -> Exchange in
        var client = client
        switch question {
        case .root(let request): return client.fetch(request)
        case .identity(let identity): client.options.userAgent = identity.userAgent
        case .address(let address): client.options.origin = address
        case .link(let request):
          client.options.userAgent = ClientIdentity.browser.userAgent
          return client.fetch(request)
        }
        return client.fetch(first)
      }
    }.joined()
    for (question, answer) in zip(questions, answers) {
      switch question {
      case .root: root = answer
      case .identity(let identity): identities.append((identity, answer))
      case .address: others.append(answer)
      case .link: self.link = answer
      }
    }
  }

  /// If the server seems to answer different clients differently, repeats the robot's request at
  /// most twice. The answers may also vary for another reason.
  private mutating func askAgain(_ client: ClientSettings) {
    guard identities.contains(where: { isFile($0.exchange) != isFile(wellKnown) }) else { return }
    for _ in 0..<2 {
      let again = client.fetch(wellKnown.request)
      if isFile(again) == isFile(wellKnown) { continue }
      contradiction = again
      // If only some answers contain the file, use an answer with the file for all further checks.
      if isFile(again) { (wellKnown, contradiction) = (again, wellKnown) }
      return
    }
  }

  /// Returns settings with which a fetch continues even if the server's certificate is not trusted.
  /// Do not use these settings for a CDN: a copy from an untrusted server proves nothing.
  private static func trusting(_ client: ClientSettings) -> ClientSettings {
    var client = client
    client.options.goesOnUntrusted = true
    return client
  }

  /// The answer that Apple's systems use. This is the answer from `.well-known`, unless its status
  /// is 404 or 410 and the root path has an answer with status 200.
  var chosen: Exchange {
    guard let root, root.response?.head.status == 200,
      let status = wellKnown.response?.head.status, status == 404 || status == 410
    else { return wellKnown }
    return root
  }

  /// All requests that were made, with their answers.
  var exchanges: [Exchange] {
    [wellKnown] + [root, contradiction, otherName].compactMap(\.self) + identities.map(\.exchange)
      + others
      + (cdn.map { [$0] } ?? []) + (link.map { [$0] } ?? []) + (relatedHosts?.exchanges ?? [])
  }

  /// Returns whether this machine has no route to an address. A missing route is not a fault of the
  /// domain. For example, most containers have no route to IPv6 addresses.
  func isWithoutRoute(_ address: SocketAddress) -> Bool {
    exchanges.contains { exchange in
      guard case .unreachable = exchange.fault else { return false }
      return exchange.addresses.contains(address)
    } && !world.hasRoute(address)
  }
}

/// Returns the target of a host's CNAME record. Nil if the host has no such record, or DNS did not
/// answer.
func alias(of host: String) -> String? {
  (try? queryRecords(host, type: 5, until: Deadline(afterMilliseconds: 3_000))).flatMap(aliasTarget)
}

/// Returns the target of the first CNAME record in the answers of a DNS message. Nil if the message
/// contains no such record, or is malformed.
package func aliasTarget(in message: [UInt8]) -> String? {
  guard let target = records(of: 5, in: message)?.first else { return nil }
  return domainName(in: message, at: target.startIndex)?.name
}
