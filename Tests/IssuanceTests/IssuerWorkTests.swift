import Diagnostics
import Posix
import Synchronization
import TLS
import TLSTestSupport
import Testing

@testable import Issuance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the issuer knows and keeps, without a CA: nothing listens where it would ask.
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

  init() throws {
    var template = Array("/tmp/aasa-issuer-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = StateFolder(
      String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  /// As after a start, and these turns.
  private func started(
    turns: Int = 0, hosts: [String] = [], addresses: [SocketAddress] = []
  ) throws -> (work: IssuerWork, client: AuthorityClient) {
    let work = run(turns: turns, hosts: hosts, addresses: addresses)
    return (work, try #require(work.clients.first))
  }

  /// - Parameter stopsAtWork: Whether a stop comes as soon as there is something to do.
  private func run(
    turns: Int, hosts: [String], addresses: [SocketAddress] = [], stopsAtWork: Bool = false
  ) -> IssuerWork {
    let (reported, answered) = (reported, answered)
    let work = IssuerWork(
      Issuer.Options(authorities: [authority], folder: folder),
      Issuer.Environment(
        hosts: { Issuer.HostList(generation: 1, hosts: hosts) }, answer: { answered.add($0) },
        addresses: { addresses }, certificates: nil, announce: { reported.add($0) },
        tell: { reported.add($0.code) }), StatusBoard())
    var left = turns
    var calls = 0
    work.run { milliseconds in
      if milliseconds > 0 { left -= 1 }
      calls += 1
      return left >= 0 && !(stopsAtWork && calls > 1)
    }
    return work
  }

  private let refusal = Setback.refused(
    ProblemDocument(type: "rejectedIdentifier", detail: "no", status: 400))

  @Test func `an order, a limit and a refusal are known after a restart`() throws {
    let limit = ProblemDocument(
      type: "rateLimited", detail: "too many new orders", status: 429, retryAfter: 600)
    // Each ends here, without another word, and with it its lock.
    do {
      let (work, client) = try started()
      work.spend(client)
    }
    do {
      let (work, client) = try started()
      let now = Posix.Clock.wallMilliseconds()
      #expect(work.books[authority.url]?.budget?.remaining(now: now) == 269)
      work.freeze(client, limit, ["a.example"], isOrder: true)
    }
    do {
      let (work, client) = try started()
      #expect(work.untilAllowed("a.example", client, isNew: true) > 500)
      work.setBack("a.example", client, refusal)
      work.writeBooks()
    }
    let (work, _) = try started()
    let state = try #require(work.hosts["a.example"])
    #expect(state.failures == 1 && state.next > Posix.Clock.monotonicMilliseconds() + 50_000)
  }

  @Test func `whoever asks for a certificate again has the refusals before forgotten`() throws {
    // Of a name that is not of the public DNS no CA is asked.
    do {
      let (work, client) = try started()
      work.setBack("localhost", client, refusal)
      work.writeBooks()
    }
    #expect(!folder.limits(authority).refused.isEmpty)
    try folder.wish(for: "localhost")
    _ = try started(turns: 1, hosts: ["localhost"])
    #expect(folder.limits(authority).refused.isEmpty)
  }

  @Test func `a request is known after a restart, until it is fulfilled`() throws {
    try folder.wish(for: "localhost")
    let path = folder.renewals + "/localhost"
    for _ in 1...2 {
      let (work, _) = try started(turns: 2, hosts: ["localhost"])
      #expect(work.hosts["localhost"]?.isForced == true)
      try #expect(status(path).kind == .regular)
    }
    do {
      let (work, _) = try started(turns: 1, hosts: ["localhost"])
      work.fulfilled("localhost")
      #expect((try? status(path)) == nil && work.hosts["localhost"]?.isForced == false)
    }
    // What nobody would do is not kept.
    try folder.wish(for: "other.example")
    _ = try started(turns: 1, hosts: ["localhost"])
    #expect((try? status(folder.renewals + "/other.example")) == nil)
  }

  @Test func `an order that fails late is asked ever more seldom, and gives its place away`() throws
  {
    let (work, client) = try started()
    work.hosts = ["a.example": HostState()]
    var record = OrderRecord(
      authority: authority.url, host: "a.example", key: try SigningKey.generate(),
      begun: Posix.Clock.wallSeconds())
    record.url = "https://127.0.0.1:1/order"
    record.progress = .ready
    work.hosts["a.example"]?.order = record
    let expected: [Int64] = [2_000, 5_000, 15_000, 60_000, 600_000]
    for pause in expected {
      work.setBack("a.example", client, .noAnswer("500"))
      let left = (work.hosts["a.example"]?.next ?? 0) - Posix.Clock.monotonicMilliseconds()
      #expect(left > pause - 1_000 && left <= pause)
    }
  }

  /// The server that would answer the CA has closed by then.
  @Test(arguments: [false, true])
  func `what fails during a stop is neither reported nor held against the name`(stops: Bool) {
    let work = run(turns: 1, hosts: ["localhost"], stopsAtWork: stops)
    #expect(work.hosts["localhost"] != nil)
    #expect((work.hosts["localhost"]?.trouble == nil) == stops)
    #expect(Journal(folder.journal).entries().isEmpty == stops)
    #expect(reported.all.isEmpty == stops)
  }

  @Test func `the account's key stays while an order is under way`() throws {
    let (work, _) = try started()
    let key = try #require(try folder.readKey()).pem()
    work.nextRollover = 0
    work.underWay = ["a.example"]
    work.rollOver()
    try #expect(folder.readKey()?.pem() == key)
    work.underWay = []
    work.rollOver()
    try #expect(folder.readKey()?.pem() != key)
  }

  @Test func `an order that does not end within an hour is given up, for all its hosts`() throws {
    let (work, client) = try started()
    client.account = "https://127.0.0.1:1/account"
    var record = OrderRecord(
      authority: authority.url, host: "a.example", key: try SigningKey.generate(),
      begun: Posix.Clock.wallSeconds() - 3_601)
    record.url = "https://127.0.0.1:1/order"
    record.companions = ["b.example"]
    record.polls = 1
    work.hosts = ["a.example": HostState(), "b.example": HostState()]
    work.hosts["a.example"]?.order = record
    work.hosts["b.example"]?.leader = "a.example"
    work.underWay = ["a.example"]
    work.advance("a.example")
    #expect(
      work.hosts["a.example"]?.trouble == .unfit("the order has not ended within an hour"))
    #expect(work.hosts["a.example"]?.order == nil && work.underWay.isEmpty)
    #expect(work.hosts["b.example"]?.leader == nil)
  }

  @Test func `a certificate that no handshake shows within a minute is reported, once`() throws {
    let leaf = TestCertificate("leaf", names: ["a.example"])
    let chain = try #require(IssuedChain(pem: leaf.pem))
    let record = OrderRecord(
      authority: authority.url, host: "a.example", key: try SigningKey.generate(), begun: 0)
    _ = try started()
    try folder.install(chain, record, for: "a.example", account: "", profile: nil, issued: 0)
    let installed = Journal.Entry(
      time: 0, host: "a.example", authority: authority.name, step: .installed)
    try Journal(folder.journal).write(installed)
    // Installed before a restart, and looked for after it.
    let (work, _) = try started(
      addresses: [try #require(SocketAddress(literal: "127.0.0.1", port: 1))])
    work.lookForServed()
    #expect(reported.all.isEmpty)
    work.hosts["a.example"]?.unseenSince = Posix.Clock.monotonicMilliseconds() - 61_000
    work.lookForServed()
    work.lookForServed()
    #expect(reported.all == ["I010"])
  }

  @Test func `beside another issuer the challenges of both are answered`() throws {
    _ = try started()
    let key = try #require(try folder.readKey())
    let lock = try FileLock(folder.lock)
    let isHeld = lock != nil
    #expect(isHeld)
    let work = run(turns: 0, hosts: [], addresses: [])
    #expect(answered.all == [thumbprint(of: key), thumbprint(of: key)])
    #expect(reported.all == ["I009"] && work.clients.isEmpty)
    _ = consume lock
  }

  @Test func `what a CA names must be asked over TLS`() throws {
    let (_, client) = try started()
    #expect(throws: CallFault.self) { try client.get("http://127.0.0.1:1/nonce") }
    #expect(client.requests == 0)
  }
}
