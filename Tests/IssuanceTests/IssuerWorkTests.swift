import Diagnostics
import Posix
import ScriptedServer
import Settings
import Synchronization
import TLSTestSupport
import Testing

@testable import Issuance
@testable import TLS

/// What the issuer's thread keeps and does, without a CA: nothing listens where it would ask.
@Suite final class IssuerWorkTests {
  private let folder: StateFolder
  private let authority = Authority(name: "letsencrypt", url: "https://127.0.0.1:1/dir")
  /// The codes of what is reported, and the sentences that are announced.
  private let reported = Sentences()
  /// The thumbprints that challenges are answered with.
  private let answered = Sentences()

  private final class Sentences: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  init() throws { folder = StateFolder(try temporaryFolder()) }

  /// As after so many turns. What is wanted is not of the public DNS, so that no CA is asked.
  ///
  /// - Parameters:
  ///   - stopsAtWork: Whether a stop comes as soon as there is something to do.
  ///   - isDone: Whether the turns so far are enough.
  private func run(
    turns: Int, hosts: [String] = [], addresses: [SocketAddress] = [], stopsAtWork: Bool = false,
    certificates: ChallengeCertificates? = nil, until isDone: @escaping () -> Bool = { false }
  ) -> IssuerWork {
    let (reported, answered) = (reported, answered)
    var environment = Issuer.Environment { Set(hosts) }
    environment.answer = { answered.add($0) }
    environment.addresses = addresses
    environment.certificates = certificates
    environment.announce = { reported.add($0) }
    environment.report = { reported.add($0.code) }
    let work = IssuerWork(
      Issuer.Options(authorities: [authority], folder: folder), environment, StatusBoard(),
      Mailbox {})
    var left = turns
    var isStopped = false
    work.run { milliseconds in
      guard milliseconds > 0 else {
        if stopsAtWork { isStopped = true }
        return !isStopped && left >= 0
      }
      left -= 1
      // A name that cannot be one is judged within this time.
      Thread.pause(milliseconds: 100)
      return left >= 0 && !isStopped && !isDone()
    }
    return work
  }

  @Test func `a name that no CA knows is reported, and no CA is asked`() {
    let work = run(turns: 3, hosts: ["localhost"])
    #expect(reported.all == ["I001"])
    #expect(work.plan.hosts["localhost"]?.failures == 1)
    #expect(folder.journal.entries().map(\.step) == [.failed])
  }

  /// The server that would answer the CA has closed by then.
  @Test func `what fails during a stop is neither reported nor held against the name`() {
    let work = run(turns: 3, hosts: ["localhost"], stopsAtWork: true)
    #expect(work.plan.hosts["localhost"]?.failure == nil)
    #expect(folder.journal.entries().isEmpty && reported.all.isEmpty)
  }

  @Test func `a request is known after a restart, until the certificate is there`() throws {
    try folder.requestRenewal(of: "localhost")
    let path = folder.path(folder.renewals) + "/localhost"
    for _ in 1...2 {
      let work = run(turns: 2, hosts: ["localhost"])
      #expect(work.plan.hosts["localhost"]?.isRequested == true)
      try #expect(status(path).kind == .regular)
    }
    // What nobody would do is not kept.
    try folder.requestRenewal(of: "other.example")
    _ = run(turns: 1, hosts: ["localhost"])
    #expect(folder.store.status(folder.renewals + "/other.example") == nil)
  }

  @Test func `a folder in the place of a request asks for nothing`() throws {
    try folder.store.make(folder.renewal("localhost"))
    let work = run(turns: 2, hosts: ["localhost"])
    #expect(work.plan.hosts["localhost"]?.isRequested == false && reported.all.contains("I007"))
  }

  @Test func `a key whose file is gone is written again from memory`() throws {
    let work = run(turns: 1)
    let key = try #require(try folder.readKey()).pem()
    try folder.store.remove(folder.accountKey)
    work.run { _ in false }
    try #expect(folder.readKey()?.pem() == key)
  }

  @Test func `an order, a limit, a refusal and a window are known after a restart`() throws {
    try folder.make()
    var limits = RateLimits(authority)
    let now = Posix.Clock.wallSeconds()
    limits.budget?.spend(now: now * 1_000)
    limits.freeze(.orders, until: now + 600)
    limits.refused["a.example"] = RateLimits.Refusals(count: 3, since: now - 50, next: now + 500)
    try folder.write(limits, authority, now: now)
    var order = OpenOrder(authority: authority.url, challenge: .http, begun: now)
    order.url = "https://127.0.0.1:1/order"
    try folder.write(
      OrderRecord(host: "b.example", order: order, key: try SigningKey.generate()), authority)
    let found = LoadedState(folder, [authority], .now)
    let state = try #require(found.authorities.first)
    #expect(state.limits.budget?.remaining(now: now * 1_000) == 269)
    #expect(state.limits.nextTime(for: "c.example", isNew: true, now: now) >= now + 598)
    #expect(HostTable(found.hosts).open(at: authority) == ["b.example"])
    #expect(found.hosts["b.example"]?.order?.url == order.url)
    let refused = try #require(found.hosts["a.example"])
    #expect(refused.failures == 3 && refused.due > Posix.Clock.monotonicMilliseconds() + 490_000)
  }

  @Test
  func `a clock that was years ahead holds back a refused host and a window for days at most`()
    throws
  {
    try folder.make()
    var limits = RateLimits(authority)
    let now = Posix.Clock.wallSeconds()
    limits.refused["a.example"] = RateLimits.Refusals(
      count: 1, since: now + 100_000_000, next: now + 200_000_000)
    try folder.write(limits, authority, now: now)
    let (chain, key) = try #require(IssuedChain.served(try selfSigned(names: ["b.example"])))
    var other = HostState()
    other.certificate = IssuedFile(
      chain, authority: authority.url, account: "", profile: nil, issued: now)
    try folder.install(try #require(other.certificate), chain, key, for: "b.example")
    other.nextWindow = now + 200_000_000
    try folder.writeWindow("b.example", other)
    let found = LoadedState(folder, [authority], .now)
    let state = try #require(found.hosts["a.example"])
    let moment = Moment.now
    #expect(found.hosts["b.example"].map { $0.nextWindow <= moment.seconds + 86_400 } == true)
    #expect(state.due - moment.uptime <= 604_800_000 && state.due > moment.uptime)
    #expect(state.failingFor(moment) == 0)
  }

  /// Those of a CA that is not used any more hold nothing back.
  @Test func `an issue that the journal and the certificate show counts once`() throws {
    try folder.make()
    let now = Posix.Clock.wallSeconds()
    let (chain, key) = try #require(IssuedChain.served(try selfSigned(names: ["a.example"])))
    let file = IssuedFile(chain, authority: authority.url, account: "", profile: nil, issued: now)
    try folder.install(file, chain, key, for: "a.example")
    let entries = [
      (now - 9_000, authority.name), (now - 5_000, "other"), (now - 5, authority.name),
    ]
    for (time, name) in entries {
      try folder.journal.write(.installing, "a.example", at: name, "7776000", time: time)
    }
    let found = LoadedState(folder, [authority], .now)
    #expect(found.hosts["a.example"]?.issues.map(\.time) == [now - 9_000, now - 5])
  }

  @Test func `the list of those that wait goes when nobody waits`() throws {
    try folder.make()
    try folder.write(["hosts": nil], to: folder.waiting)
    _ = run(turns: 2)
    #expect(folder.store.status(folder.waiting) == nil)
  }

  /// The CA's limit is used up, so nothing is checked or ordered meanwhile.
  @Test func `the list of those that wait has their places and times, who asked for one first`()
    throws
  {
    try folder.make()
    var limits = RateLimits(authority)
    let now = Posix.Clock.wallMilliseconds()
    for _ in 0..<270 { limits.budget?.spend(now: now) }
    try folder.write(limits, authority, now: now / 1_000)
    let hosts = (1...9).map { "h\($0).example" }
    // The two that a person and a client ask for, and not the first ones of any order.
    try folder.requestRenewal(of: "h4.example")
    let challenges = ChallengeCertificates()
    challenges.noteRefused(Array("h7.example".utf8))
    let folder = folder
    func first() -> Set<String> { Set(folder.queue().filter { $0.value.place <= 2 }.keys) }
    _ = run(turns: 200, hosts: hosts, certificates: challenges) {
      first() == ["h4.example", "h7.example"]
    }
    #expect(first() == ["h4.example", "h7.example"])
    let line = folder.queue().sorted { $0.value.place < $1.value.place }
    #expect(line.map(\.value.place) == Array(1...9) && Set(line.map(\.key)) == Set(hosts))
    // One order comes back after the other.
    let times = line.map(\.value.time)
    #expect((30...50).contains(times[0] - now / 1_000), "\(times)")
    #expect(zip(times.dropFirst(), times).map { $0 - $1 } == Array(repeating: 40, count: 8))
    #expect(folder.store.status(folder.waiting)?.mode == 0o600)
  }

  @Test func `what a later version wrote is refused, and neither read nor written over`() throws {
    try folder.make()
    let text = #"{"version":2,"account":"https://ca/1","identities":[]}"# + "\n"
    let path = folder.accountFile(authority)
    try folder.write(text, to: path)
    let work = run(turns: 3, hosts: ["localhost"])
    #expect(reported.all == ["I007"] && !work.isIssuer && work.plan.hosts.states.isEmpty)
    try #expect(folder.store.read(path, limit: 1_000) == Array(text.utf8))
    // Nor is anything else written, and whoever knows the version may take the lock.
    try #expect(folder.readKey() == nil)
    let lock = try FileLock(folder.path(folder.lock))
    let isFree = lock != nil
    #expect(isFree)
    _ = consume lock
    try folder.store.remove(path)
    #expect(run(turns: 1).isIssuer)
  }

  @Test func `a host that is added is taken up as soon as that is known`() {
    let hosts = Mutex<Set<String>>([])
    let mailbox = Mailbox {}
    let work = IssuerWork(
      Issuer.Options(authorities: [authority], folder: folder),
      Issuer.Environment { hosts.withLock(\.self) }, StatusBoard(), mailbox)
    var pauses = 0
    work.run { milliseconds in
      guard milliseconds > 0 else { return true }
      pauses += 1
      if pauses == 2 {
        hosts.withLock { $0 = ["localhost"] }
        mailbox.noteNews()
      }
      return pauses < 3
    }
    #expect(work.plan.wanted == ["localhost"])
  }

  @Test func `the names that clients ask for are taken from the event loops`() throws {
    let challenges = ChallengeCertificates()
    challenges.noteRefused(Array("localhost".utf8))
    _ = run(turns: 1, hosts: ["localhost"], certificates: challenges)
    #expect(challenges.takeRefused().isEmpty)
  }

  @Test func `the challenge of an order that is given up is not shown any more`() throws {
    let challenges = ChallengeCertificates()
    _ = try challenges.show("a.example", "token.thumb")
    let work = run(turns: 0, certificates: challenges)
    work.execute(.drop("a.example", authority: 0, .tls))
    #expect(challenges.find(Array("a.example".utf8)) == nil)
  }

  @Test func `a certificate that no handshake shows within a minute is reported, once`() throws {
    try folder.make()
    let chain = try #require(
      IssuedChain(pem: TestCertificate("leaf", names: ["a.example"]).pem))
    let file = IssuedFile(
      chain, authority: authority.url, account: "", profile: nil, issued: 0)
    try folder.install(file, chain, try SigningKey.generate(), for: "a.example")
    let address = try #require(SocketAddress(literal: "127.0.0.1", port: 1))
    let work = run(turns: 0, addresses: [address])
    let now = Posix.Clock.monotonicMilliseconds()
    work.unseen["a.example"] = now
    work.checkServed(now)
    #expect(reported.all.isEmpty)
    for seconds in [61, 62] as [Int64] { work.checkServed(now + seconds * 1_000) }
    #expect(reported.all == ["I010"])
  }

  @Test func `beside another issuer the challenges of both are answered`() throws {
    _ = run(turns: 0)
    let key = try #require(try folder.readKey())
    let lock = try FileLock(folder.path(folder.lock))
    let isHeld = lock != nil
    #expect(isHeld)
    _ = run(turns: 0)
    #expect(answered.all == [thumbprint(of: key), thumbprint(of: key)])
    #expect(reported.all == ["I009"])
    _ = consume lock
  }

  @Test func `a CA is asked by the proxy of the environment, unless it is excepted`() throws {
    let context = try ClientContext(trust: try TrustStore.system())
    let proxy = try ScriptedServer { _ in [.text("HTTP/1.1 407 No\r\n\r\n")] }
    func ask(except: String) throws {
      let client = AuthorityClient(
        authority, key: try SigningKey.generate(), context: context,
        variables: ["HTTPS_PROXY": "127.0.0.1:\(proxy.port)", "no_proxy": except])
      #expect(throws: IssuanceFailure.self) { try client.directory() }
    }
    try ask(except: "a.example, 127.0.0.1")
    #expect(proxy.requests.isEmpty)
    try ask(except: "a.example")
    #expect(proxy.requests.count == 1 && proxy.requests[0].hasPrefix("CONNECT 127.0.0.1:1 "))
  }

  @Test func `a step that has taken too long ends, whatever the CA says`() throws {
    let client = AuthorityClient(
      authority, key: try SigningKey.generate(),
      context: try ClientContext(trust: try TrustStore.system()))
    client.deadline = Deadline(afterMilliseconds: 0)
    #expect(throws: IssuanceFailure.noAnswer("the CA is too slow: one step took longer than 90 s"))
    {
      try client.directory()
    }
  }

  @Test func `a deactivated account says which file to move away`() {
    let problem = ProblemDocument(
      type: "unauthorized", detail: "Account is not valid, has status \"deactivated\"", status: 403)
    let diagnostic = Diagnostic.noCertificate(
      for: "a.example", .refused(problem), at: "x", nil, now: 0)
    #expect(diagnostic.code == "I003")
    #expect(diagnostic.help?.contains("move acme/account.pem") == true)
  }

  @Test func `what a CA names must be asked over TLS`() throws {
    let context = try ClientContext(trust: try TrustStore.system())
    let client = AuthorityClient(authority, key: try SigningKey.generate(), context: context)
    #expect(throws: IssuanceFailure.noAnswer("the CA's answer contains an invalid HTTPS URL")) {
      try client.get("http://127.0.0.1:1/nonce")
    }
  }
}
