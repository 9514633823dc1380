import Posix
import Settings
import Testing

@testable import Issuance

/// What is checked before a CA is asked.
@Suite struct PreflightTests {
  @Test(arguments: [
    ("example.com", true), ("a.b.example.com", true), ("xn--bcher-kva.example", true),
    ("1.example.com", true),
    // Not of the public DNS.
    ("localhost", false), ("example", false), ("printer.local", false), ("a.internal", false),
    ("a.test", false), ("nas.home.arpa", false), ("a.onion", false), ("192.0.2.1", false),
    // Not a name.
    ("_dmarc.example.com", false), ("-a.example.com", false), ("a-.example.com", false),
    ("a..example.com", false), (".example.com", false), ("a.*.example.com", false), ("::1", false),
    (String(repeating: "a", count: 64) + ".example.com", false),
    (String(repeating: "a.", count: 125) + "com", false),
  ])
  func `only names of the public DNS may have a certificate`(host: String, isAllowed: Bool) {
    #expect((nameFault(host) == nil) == isAllowed)
  }

  @Test(arguments: ["a.internal", "nas.home.arpa", "a.test", "a.b.corp"])
  func `a private CA may know names for private use`(host: String) {
    #expect(nameFault(host, isPrivate: true) == nil)
    #expect(nameFault("*." + host, isPrivate: true) == nil)
    #expect(nameFault("-" + host, isPrivate: true) != nil)
  }

  /// The names of a file and of a domain are at most 255 and 253 bytes long.
  @Test(arguments: [(251, true), (252, false), (254, false)])
  func `a name has a file, or is refused before anybody is asked`(count: Int, isAllowed: Bool) {
    let label = String(repeating: "a", count: 59) + "."
    func name(_ count: Int) -> String {
      String(repeating: label, count: 4) + String(repeating: "a", count: count - 240)
    }
    for host in [name(count), "*." + name(count - 10)] {
      #expect((nameFault(host) == nil) == isAllowed, "\(host.utf8.count)")
      let file = StateFolder("/s").certificate(host).dropFirst("certificates/".count)
      #expect(!isAllowed || file.utf8.count <= 255)
    }
  }

  @Test(arguments: [
    ([ChallengeKind.http, .tls], "a.example", [ChallengeKind.http, .tls]),
    ([.http, .tls], "*.example.com", []),
    ([.tls, .record, .http], "a.example", [.tls, .record, .http]),
    ([.tls, .record, .http], "*.example.com", [.record]),
  ])
  func `a challenge says which names it fits`(
    kinds: [ChallengeKind], host: String, fitting: [ChallengeKind]
  ) {
    #expect(Challenges(kinds: kinds, shown: nil).fitting(host) == fitting)
    #expect(ChallengeKind.firstFitting(host) == (isWildcard(host) ? .record : .http))
  }

  private static let caaIdentity = CAAIdentity(
    identities: ["ca.example", "other-name.example"], account: "https://ca.example/acct/1",
    methods: [.http])

  @Test(
    arguments: [
      // Values of `issue`, and a part of what is said.
      ([], nil), (["ca.example"], nil), (["CA.example"], nil), (["x.example", "ca.example"], nil),
      (["other-name.example"], nil), ([" ca.example ; foo=bar"], nil),
      (["x.example"], "allow only \"x.example\""), ([";"], "allow only \";\""),
      ([""], "allow only \"\""),
      (["ca.example; accounturi=https://ca.example/acct/1"], nil),
      (["ca.example;accounturi=https://ca.example/acct/2"], "the account of this server is"),
      (
        ["ca.example; accounturi=https://ca.example/acct/2", "ca.example"], nil
      ),
      (["ca.example; validationmethods=dns-01,http-01"], nil),
      (["ca.example; validationmethods=dns-01"], "this server uses http-01"),
    ] as [([String], String?)])
  func `CAA allows this CA, this account and this method, or forbids`(
    values: [String], words: String?
  ) {
    let records = values.map { AuthorizationRecord(tag: "issue", value: $0) }
    let found = obstacle(in: records, of: "example.com", for: Self.caaIdentity)
    if let words {
      #expect(found?.text.contains(words) == true && found?.kind == .caa)
      #expect(found?.help.contains("CAA 0 issue \"ca.example\"") == true)
    } else {
      #expect(found == nil)
    }
  }

  @Test(arguments: [(["x.example"], true), ([";"], false), (["", "x.example"], true)])
  func `a CA that does not say its name is forbidden only where all are`(
    values: [String], isAllowed: Bool
  ) {
    let records = values.map { AuthorizationRecord(tag: "issue", value: $0) }
    let unknown = CAAIdentity(identities: [], account: nil, methods: [.http])
    let found = obstacle(in: records, of: "example.com", for: unknown)
    #expect((found == nil) == isAllowed)
  }

  @Test func `tags that do not concern a host are passed over, unless they are critical`() {
    let others = ["issuewild", "iodef", "contactemail"].map {
      AuthorizationRecord(tag: $0, value: ";")
    }
    #expect(obstacle(in: others, of: "example.com", for: Self.caaIdentity) == nil)
    // But for a wildcard, whose records have a tag of their own.
    let fault = obstacle(
      in: others, of: "example.com", for: Self.caaIdentity, isWildcard: true)
    #expect(fault?.help == #"set the record example.com. CAA 0 issuewild "ca.example""#)
    let critical = [AuthorizationRecord(isCritical: true, tag: "tbs", value: "x")]
    #expect(obstacle(in: critical, of: "example.com", for: Self.caaIdentity)?.kind == .caa)
  }

  private static let message: [UInt8] =
    [0, 1, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0]
    + [7] + Array("example".utf8) + [3] + Array("com".utf8) + [0, 1, 1, 0, 1]
    // An alias on the way, then a record, both with a pointer to the name.
    + [0xC0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 2, 0xC0, 12]
    + [0xC0, 12, 1, 1, 0, 1, 0, 0, 0, 60, 0, 17, 128, 5] + Array("issueca.example".utf8)

  @Test func `CAA records are found in a DNS message`() {
    let records = authorizationRecords(in: Self.message)
    #expect(records == [AuthorizationRecord(isCritical: true, tag: "issue", value: "ca.example")])
    #expect(authorizationRecords(in: []) == [])
  }

  @Test func `a message that is cut off anywhere is broken, and never read beyond its end`() {
    for count in 1..<Self.message.count {
      #expect(authorizationRecords(in: Array(Self.message.prefix(count))) == nil, "\(count)")
    }
    for index in Self.message.indices {
      for value in [0, 0x3F, 0x80, 0xC0, 0xFF] as [UInt8] {
        var changed = Self.message
        changed[index] = value
        _ = authorizationRecords(in: changed)
      }
    }
  }
}
