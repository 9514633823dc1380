import Diagnostics
import TLSTestSupport
import Testing

@testable import TLS

@Suite struct SelectionTests {
  struct Choice: Sendable {
    /// The name that the client sends; nil for no extension.
    let name: String?
    /// The common name of the certificate shown; nil for the alert unrecognized_name.
    let shown: String?
    var covers: [String] = []
    var coversNot: [String] = []
  }

  private static let certificates = [
    ("exact", ["a.example.com"]),
    ("wild", ["*.example.com", "example.com"]),
    ("deep", ["*.deep.example.com"]),
    ("many", ["one.test", "two.test", "IP:192.0.2.7", "IP:2001:db8::1"]),
  ]

  private static let withoutDefault = [
    // Exact goes before a wildcard.
    Choice(
      name: "a.example.com", shown: "exact", covers: ["a.example.com"],
      coversNot: ["b.example.com", "example.com", "a.example.co", "xa.example.com", ""]),
    Choice(
      name: "b.example.com", shown: "wild",
      covers: ["b.example.com", "example.com", "c.example.com"],
      coversNot: ["a.b.example.com", "one.test", ".example.com", "*.deep.example.com"]),
    // Upper case on the wire.
    Choice(name: "B.EXAMPLE.com", shown: "wild", covers: ["b.example.com"]),
    Choice(name: "example.com", shown: "wild", covers: ["example.com"]),
    // A wildcard is one label: not two, not none.
    Choice(name: "x.deep.example.com", shown: "deep", coversNot: ["deep.example.com"]),
    Choice(name: "deep.example.com", shown: "wild"),
    Choice(name: "x.y.deep.example.com", shown: nil),
    Choice(name: "x.y.example.com", shown: nil),
    // A certificate with several names covers them all, addresses included.
    Choice(
      name: "one.test", shown: "many",
      covers: [
        "one.test", "two.test", "192.0.2.7", "[2001:db8::1]", "[2001:db8:0:0:0:0:0:1]",
        "2001:db8::1",
      ],
      coversNot: ["three.test", "192.0.2.8", "192.0.2.07", "[2001:db8::2]", "[::", "[]", "1.2.3"]),
    // No certificate has the name, or there is no name.
    Choice(name: "unknown.test", shown: nil),
    Choice(name: "com", shown: nil),
    Choice(name: nil, shown: nil),
  ]

  private static let withDefault = [
    Choice(name: "a.example.com", shown: "exact"),
    Choice(name: "unknown.test", shown: "many", covers: ["one.test"], coversNot: ["unknown.test"]),
    Choice(name: nil, shown: "many", covers: ["two.test"], coversNot: ["a.example.com"]),
  ]

  @Test(arguments: withoutDefault)
  func `without a default, only names decide`(choice: Choice) throws {
    try check(choice, defaultName: "")
  }

  @Test(arguments: withDefault, ["file-many", "two.test"])
  func `a default, by file or host name, serves the rest`(choice: Choice, name: String) throws {
    try check(choice, defaultName: name)
  }

  private func check(_ choice: Choice, defaultName: String) throws {
    let material = TLSMaterial(
      certificates: try Self.certificates.map { name, names in
        ("file-" + name, try load(TestCertificate(name, names: names)))
      }, defaultName: defaultName, ticketKeys: TicketKeys(), now: now)
    #expect(!material.isDefaultMissing)
    for isTLS12Only in [false, true] {
      let (connection, result) = try connect(
        material, context: ServerContext(),
        client {
          $0.serverName = choice.name
          $0.isTLS12Only = isTLS12Only
        })
      #expect(connection.serverName == choice.name?.lowercased())
      if let shown = choice.shown {
        #expect(result == .init(server: .done, client: .done))
        #expect(connection.client.serverCommonName == shown)
        for host in choice.covers { #expect(connection.covers(host), "\(host)") }
        for host in choice.coversNot { #expect(!connection.covers(host), "\(host)") }
      } else {
        #expect(result.client == .failed("tlsv1 unrecognized name"))
        let message =
          choice.name.map { "no certificate for the server name \"\($0)\"" }
          ?? "the client sent no server name and no default certificate is set"
        #expect(result.server == .failed(TLSFailure(.peer, message, .unknownServerName)))
      }
    }
  }

  @Test func `the only certificate serves clients that name nothing, and no other name`() throws {
    let material = try material([
      TestCertificate("rsa", names: ["a.test", "b.test"], key: TestKey(.rsa2048)),
      TestCertificate("ecdsa", names: ["b.test", "a.test"]),
    ])
    let context = try ServerContext()
    let (connection, _) = try connect(material, context: context, client { $0.serverName = nil })
    #expect(connection.client.serverCommonName == "ecdsa")
    #expect(connection.covers("a.test"))
    let (_, result) = try connect(material, context: context, client { $0.serverName = "c.test" })
    #expect(result.client == .failed("tlsv1 unrecognized name"))
  }

  @Test func `a default that no certificate has is reported`() throws {
    #expect(
      try material([TestCertificate("a", names: ["a.test"])], defaultName: "b").isDefaultMissing)
  }

  @Test func `without certificates the self-signed fallback serves and covers everything`() throws {
    let selfSignedFallback = try selfSigned(names: [
      "localhost", "*.example.com", "::1", "127.0.0.1", "a,DNS:b",
    ])
    #expect(selfSignedFallback.names.hosts == ["*.example.com", "localhost"])
    #expect(
      selfSignedFallback.names.addresses == [
        [UInt8](repeating: 0, count: 15) + [1], [127, 0, 0, 1],
      ])
    #expect(
      selfSignedFallback.isValid(at: now) && !selfSignedFallback.isValid(at: now + 397 * 86_400))
    #expect(selfSignedFallback.kind == .ecdsa && selfSignedFallback.intermediateCount == 0)
    #expect(
      selfSignedFallback.judge(trust: try trust.get(), issuers: nil, now: 0).map(\.code) == ["T012"]
    )
    let material = TLSMaterial(
      certificates: [], ticketKeys: TicketKeys(), selfSignedFallback: selfSignedFallback, now: now)
    for name in ["localhost", "whatever.test", nil] {
      let (connection, result) = try connect(
        material, context: ServerContext(), client { $0.serverName = name })
      #expect(result == .init(server: .done, client: .done))
      #expect(connection.covers("anything.test"))
    }
    #expect(!material.covers("localhost"))
  }

  @Test func `with nothing at all every client is refused`() throws {
    let material = TLSMaterial(certificates: [], ticketKeys: TicketKeys(), now: now)
    let (_, result) = try connect(material, context: ServerContext())
    #expect(result.client == .failed("tlsv1 unrecognized name"))
  }

  @Test(
    arguments: [
      // Cipher suites of TLS 1.2 or signature algorithms of TLS 1.3, and the certificate chosen.
      (true, "ECDHE-RSA-AES128-GCM-SHA256", nil, "rsa"),
      (true, "ECDHE-ECDSA-AES128-GCM-SHA256", nil, "ecdsa"),
      (false, nil, "RSA-PSS+SHA256:RSA+SHA256", "rsa"),
      (false, nil, "ECDSA+SHA256", "ecdsa"),
    ] as [(Bool, String?, String?, String)])
  func `of RSA and ECDSA for one name the client gets the one that it supports`(
    isTLS12Only: Bool, ciphers: String?, algorithms: String?, shown: String
  ) throws {
    let material = try material([
      TestCertificate("rsa", names: ["example.com"], key: TestKey(.rsa2048)),
      TestCertificate("ecdsa", names: ["example.com"]),
    ])
    let (connection, result) = try connect(
      material, context: ServerContext(),
      client {
        $0.isTLS12Only = isTLS12Only
        $0.ciphers = ciphers
        $0.signatureAlgorithms = algorithms
      })
    #expect(result == .init(server: .done, client: .done))
    #expect(connection.client.serverCommonName == shown)
  }

  @Test(
    arguments: [
      // Certificates for one name by the days they are valid, the one shown to a.test.
      ([("short", "a.test", -9...20), ("long", "a.test", -9...90)], "long"),
      ([("long", "a.test", -9...90), ("short", "a.test", -9...20)], "long"),
      // One that is not valid yet lasts longest.
      ([("future", "a.test", 5...200), ("valid", "a.test", -9...20)], "valid"),
      // Better a valid wildcard than an expired certificate of the name itself.
      ([("expired", "a.test", -90 ... -1), ("wild", "*.test", -9...20)], "wild"),
      ([("expired", "a.test", -90 ... -1), ("wild", "*.test", -90 ... -2)], "expired"),
      // An expired one rather than none; of two, the one that expired last.
      ([("older", "a.test", -90 ... -9), ("old", "a.test", -90 ... -1)], "old"),
    ] as [([(String, String, ClosedRange<Int>)], String)])
  func `of several for one name the best is served`(
    rows: [(String, String, ClosedRange<Int>)], shown: String
  ) throws {
    let material = try material(
      rows.map { TestCertificate($0, names: [$1], days: $2) })
    let (connection, result) = try connect(
      material, context: ServerContext(), client { $0.serverName = "a.test" })
    #expect(result == .init(server: .done, client: .done))
    #expect(connection.client.serverCommonName == shown)
  }

  @Test func `the material knows which hosts it covers`() throws {
    let material = try material([TestCertificate("a", names: ["a.test", "*.b.test"])])
    let covered = ["a.test", "b.test", "x.b.test", "x.y.b.test", ""].map { material.covers($0) }
    #expect(covered == [true, false, true, false, false])
  }
}
