import Client
import Posix
import ScriptedServer
import Settings
import Synchronization
import TLS
import Testing

@testable import Issuance

/// Where the check of a name goes, and how long it takes.
@Suite struct NameCheckTests {
  private func check(
    isPrivate: Bool = false, milliseconds: Int64 = 10_000, caaIdentity: CAAIdentity? = nil
  ) throws -> NameCheck {
    NameCheck(
      thumbprint: "thumb", context: try ClientContext(trust: try TrustStore.system()),
      isPrivate: isPrivate, challenges: Challenges(kinds: [.http], shown: nil),
      caaIdentity: caaIdentity, deadline: Deadline(afterMilliseconds: milliseconds))
  }

  private func loopback(_ port: UInt16) throws -> SocketAddress {
    try #require(SocketAddress(literal: "127.0.0.1", port: port))
  }

  /// What a server that redirects there shows, and how often the other one was asked.
  private func redirected(
    isPrivate: Bool, to location: (UInt16) -> String
  ) throws -> (addressResult: NameCheck.AddressResult, requests: Int) {
    let inside = try ScriptedServer { request in
      let token = path(of: request).split(separator: "/").last ?? ""
      return [.answer(type: "text/plain", "\(token).thumb")]
    }
    let target = location(inside.port)
    let tenant = try ScriptedServer { request in
      let token = path(of: request).split(separator: "/").last ?? ""
      return [.redirect(to: target + "/.well-known/acme-challenge/\(token)")]
    }
    let addressResult = HTTPChallenge.addressResult(
      at: try loopback(tenant.port), "example.com", try check(isPrivate: isPrivate))
    return (addressResult, inside.requests.count)
  }

  @Test func `a redirect to a port that no CA asks is not followed`() throws {
    let found = try redirected(isPrivate: false) { "http://127.0.0.1:\($0)" }
    #expect(found.requests == 0)
    guard case .elsewhere(let what) = found.addressResult else { return #expect(Bool(false)) }
    #expect(what.contains("the ports 80 and 443 only"), "\(what)")
  }

  @Test(arguments: [
    ("127.0.0.1", "a loopback address"), ("10.0.0.1", "a private address"),
    ("169.254.169.254", "a link-local address"), ("[::1]", "a loopback address"),
    ("[fd00::1]", "a unique local address"), ("192.168.1.1", "a private address"),
  ])
  func `a redirect to an address inside is not followed, whatever its scheme`(
    address: String, kind: String
  ) throws {
    let check = try check()
    let last = try #require(FetchRequest(.http, host: "example.com", path: "/"))
    for scheme in ["http", "https"] {
      let next = try #require(request("\(scheme)://\(address)/latest/meta-data"))
      guard
        case .refused(let reason) = check.redirectDecision(
          to: next, from: last, at: try loopback(80))
      else {
        Issue.record("\(address) is asked")
        continue
      }
      #expect(reason.contains(kind), "\(reason)")
    }
  }

  @Test func `a redirect to a public address is followed to the address that was judged`() throws {
    let last = try #require(FetchRequest(.http, host: "example.com", path: "/"))
    let next = try #require(request("https://1.1.1.1/x"))
    let expected = try #require(SocketAddress(literal: "1.1.1.1", port: 443))
    #expect(
      try check().redirectDecision(to: next, from: last, at: try loopback(80)) == .allowed(expected)
    )
  }

  @Test func `a redirect to HTTPS of the same name stays at the address`() throws {
    let last = try #require(FetchRequest(.http, host: "example.com", path: "/"))
    let next = try #require(request("https://example.com/x"))
    #expect(
      try check().redirectDecision(to: next, from: last, at: loopback(80))
        == .allowed(loopback(443)))
  }

  @Test(
    arguments: [
      // What the server knows about itself, the challenge, the record, and what follows.
      (nil, .http, "ca.example", .needsAccount),
      (Self.caaIdentity(nil), .http, "ca.example", nil),
      (Self.caaIdentity(nil), .http, "ca.example; accounturi=https://ca/1", .needsAccount),
      (Self.caaIdentity("https://ca/1"), .http, "ca.example; accounturi=https://ca/1", nil),
      // Another challenge of this server's does not count.
      (Self.caaIdentity("https://ca/1"), .http, "ca.example; validationmethods=http-01", nil),
      (
        Self.caaIdentity("https://ca/1"), .tls, "ca.example; validationmethods=http-01",
        .caa(
          "the CAA records of example.com allow \"ca.example; validationmethods=http-01\", but this "
            + "server uses tls-alpn-01",
          help: "set the record example.com. CAA 0 issue \"ca.example\"")
      ),
    ] as [(CAAIdentity?, ChallengeKind, String, IssuanceFailure?)])
  func `CAA is judged for the account and for one challenge`(
    caaIdentity: CAAIdentity?, kind: ChallengeKind, record: String, fault: IssuanceFailure?
  ) throws {
    let found = NearestAuthorization(
      domain: "example.com", records: [AuthorizationRecord(tag: "issue", value: record)])
    let check = try check(caaIdentity: caaIdentity)
    do throws(IssuanceFailure) {
      try check.checkAuthorization(found, "example.com", kind)
      #expect(fault == nil)
    } catch {
      #expect(error == fault)
    }
  }

  private static func caaIdentity(_ account: String?) -> CAAIdentity {
    CAAIdentity(identities: ["ca.example"], account: account, methods: [.http, .tls])
  }

  @Test func `the right text with another status than 200 does not count`() throws {
    let server = try ScriptedServer { request in
      let token = path(of: request).split(separator: "/").last ?? ""
      return [.answer("404 Not Found", type: "text/plain", "\(token).thumb")]
    }
    let addressResult = HTTPChallenge.addressResult(
      at: try loopback(server.port), "example.com", try check())
    #expect(addressResult == .elsewhere("answers with the status 404, unlike this server"))
  }

  @Test func `another account's server is recognized, though it answers only sometimes`() throws {
    let account = String(repeating: "b", count: 43)
    let count = Mutex(0)
    let server = try ScriptedServer { request in
      let token = path(of: request).split(separator: "/").last ?? ""
      let number = count.withLock { count in
        count += 1
        return count
      }
      let own = number == 4 ? account : "thumb"
      return [
        .answer(type: "text/plain", fields: ["Aasa-Account: \(own)"], "\(token).\(own)")
      ]
    }
    let check = try check(isPrivate: true)
    let address = try loopback(server.port)
    for number in 1...4 {
      let addressResult = HTTPChallenge.addressResult(at: address, "example.com", check)
      #expect(addressResult == (number == 4 ? .rival(account) : .here))
    }
    // What another name has just met there counts.
    #expect(check.rivals.addressResult(after: .rival(account), at: address) == .rival(account))
    // No answer does not mean that the other account has gone.
    for result: NameCheck.AddressResult in [.here, .unknown, .silent("timed out")] {
      #expect(check.rivals.addressResult(after: result, at: address) == .rival(account))
      #expect(Rivals().addressResult(after: result, at: address) == result)
    }
    let other = NameCheck.AddressResult.elsewhere("answers with 404")
    #expect(check.rivals.addressResult(after: other, at: address) == other)
  }

  @Test func `many names at one address that only our account answers for cost one request each`()
    throws
  {
    let server = try ScriptedServer { request in
      let token = path(of: request).split(separator: "/").last ?? ""
      return [.answer(type: "text/plain", "\(token).thumb")]
    }
    let (rivals, address) = (Rivals(), try loopback(server.port))
    for _ in 0..<20 {
      for _ in 0..<rivals.askings(at: address) {
        let addressResult = HTTPChallenge.addressResult(
          at: address, "example.com", try check(isPrivate: true))
        #expect(rivals.addressResult(after: addressResult, at: address) == .here)
      }
    }
    #expect(server.requests.count == 2 * 4 + 18)
    // After another account has been met, and after one that has not, it is asked more again.
    _ = rivals.addressResult(after: .rival("b"), at: address)
    #expect(rivals.askings(at: address) == 4)
  }

  private static let rival = IssuanceFailure.rival("another account", help: "")
  private static let elsewhere = IssuanceFailure.name("elsewhere", help: "")

  /// The other server may answer on port 443 too, but a record belongs to our account only.
  @Test(
    arguments: [
      // What each challenge finds, how many of them are tried, and the outcome.
      ([(.http, .failure(rival)), (.tls, .success(true))], [.http], .fault(rival)),
      ([(.http, .failure(rival)), (.tls, .success(false))], [.http], .fault(rival)),
      (
        [(.http, .failure(rival)), (.tls, .success(true)), (.record, .success(true))],
        [.http, .record], .ready(.record)
      ),
      (
        [(.http, .failure(rival)), (.record, .failure(elsewhere))], [.http, .record],
        .fault(rival)
      ),
      (
        [(.record, .failure(elsewhere)), (.http, .failure(rival)), (.tls, .success(true))],
        [.record, .http], .fault(elsewhere)
      ),
      ([(.tls, .success(false)), (.http, .failure(rival))], [.tls, .http], .fault(rival)),
      // Without another account the next challenge is tried.
      ([(.http, .failure(elsewhere)), (.tls, .success(true))], [.http, .tls], .ready(.tls)),
      ([(.http, .success(false)), (.tls, .failure(elsewhere))], [.http, .tls], .unseen(.http)),
      ([(.http, .failure(.needsAccount)), (.tls, .success(true))], [.http], .needsAccount),
    ] as [([(ChallengeKind, Result<Bool, IssuanceFailure>)], [ChallengeKind], NameCheck.Outcome)])
  func `after another account has answered, no challenge that it could answer is tried`(
    results: [(ChallengeKind, Result<Bool, IssuanceFailure>)], tried: [ChallengeKind],
    outcome: NameCheck.Outcome
  ) throws {
    var check = try check()
    check.challenges.kinds = results.map(\.0)
    var asked: [ChallengeKind] = []
    let found = check.run("a.example") { kind throws(IssuanceFailure) in
      asked.append(kind)
      guard let result = results.first(where: { $0.0 == kind })?.1 else { return false }
      return try result.get()
    }
    #expect(found == outcome && asked == tried, "\(found) \(asked)")
  }

  @Test func `for a private CA redirects lead anywhere`() throws {
    let found = try redirected(isPrivate: true) { "http://127.0.0.1:\($0)" }
    #expect(found.addressResult == .here && found.requests == 1)
  }

  @Test(arguments: ["10.0.0.1", "127.0.0.1", "fd00::1", "169.254.0.1"])
  func `a public CA is not asked for a name with a private address`(address: String) throws {
    // An address stands for a name that has it.
    let asked = Mutex(0)
    let check = try check()
    do throws(IssuanceFailure) {
      _ = try check.ask(address, port: 80, toPassOn: "x") { _ in
        asked.withLock { $0 += 1 }
        return .here
      }
      Issue.record("\(address) is taken for a public one")
    } catch {
      #expect(error.text.contains("which no public CA can reach"))
    }
    #expect(asked.withLock { $0 } == 0)
  }

  @Test func `an address that is silent ends the check at its deadline`() throws {
    let silent = try ScriptedServer { _ in [.stall] }
    let start = Clock.monotonicMilliseconds()
    let addressResult = HTTPChallenge.addressResult(
      at: try loopback(silent.port), "example.com", try check(milliseconds: 300))
    #expect(addressResult != .here && Clock.monotonicMilliseconds() - start < 5_000)
  }

  @Test func `redirects that never end share the deadline`() throws {
    let server = try ScriptedServer { _ in [.redirect(to: "/again")] }
    let addressResult = HTTPChallenge.addressResult(
      at: try loopback(server.port), "example.com", try check(isPrivate: true))
    #expect(
      addressResult == .elsewhere("redirects the request too often") && server.requests.count == 11)
  }

  @Test func `redirects that come slowly share the deadline`() throws {
    // Half a second for each.
    guard case .bytes(let bytes) = ScriptedServer.Step.redirect(to: "/again") else {
      return #expect(Bool(false))
    }
    let server = try ScriptedServer { _ in [.drip(bytes)] }
    let start = Clock.monotonicMilliseconds()
    let addressResult = HTTPChallenge.addressResult(
      at: try loopback(server.port), "example.com",
      try check(isPrivate: true, milliseconds: 1_500))
    #expect(addressResult != .here && (1...5).contains(server.requests.count), "\(server.requests)")
    #expect(Clock.monotonicMilliseconds() - start < 5_000)
  }
}
