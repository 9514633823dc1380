import Diagnostics
import Posix
import TLSTestSupport
import TestRunning
import Testing

@testable import TLS

/// Our own reader, with OpenSSL as the fallback.
@Suite struct CertificateReadingTests {
  private let intermediates = SharedIntermediates()
  private let root = TestCertificate("Root", isAuthority: true)

  private func file(_ chain: [UInt8], _ key: [UInt8]?, mode: UInt32? = nil) -> CertificateFile {
    CertificateFile(
      chain: SourceText(path: "a.crt", bytes: chain),
      key: key.map { SourceText(path: "a.key", bytes: $0) }, keyMode: mode)
  }

  private func read(_ chain: [UInt8], _ key: [UInt8]?, mode: UInt32? = nil)
    -> CertificateInspection
  {
    file(chain, key, mode: mode).read(
      .init(now: now, warningDays: 14, intermediates: intermediates))
  }

  /// The result of each of the two; nil if it refuses the files.
  private func readBoth(
    _ chain: [UInt8], _ key: [UInt8]?
  ) throws -> (own: Certificate?, openSSL: Certificate?) {
    let file = file(chain, key)
    var reading = CertificateReading(file: file, intermediates: intermediates)
    let found = try PEMFile(file.chain).certificates()
    let key = try PEMFile(file.keySource).key(
      missing: .noKey(chain: "", key: nil))
    return (reading.usual(found, key), reading.unusual(found, key))
  }

  private func codes(of diagnostics: [Diagnostic]) -> [String] { diagnostics.map(\.code) }

  static let names: [[String]] = [
    ["a.test"], ["*.a.test", "B.test", "a.test", "a.test"], ["IP:127.0.0.1", "IP:::1"],
    ["IP:192.0.2.1", "a.test"], (0..<100).map { "host-\($0).example.com" },
  ]

  @Test(arguments: isStress ? [TestKey.Kind.p256, .p384, .rsa2048] : [.p256], names)
  func `both readers find the same in usual files`(kind: TestKey.Kind, names: [String]) throws {
    let middle = TestCertificate("Middle", issuer: root, isAuthority: true)
    let key = TestKey(kind)
    for days in [-1...90, -30 ... -2, 5...90, -1...10_000] {
      let leaf = TestCertificate("leaf", names: names, key: key, issuer: middle, days: days)
      let alone = TestCertificate("alone", names: names, key: key, days: days)
      let chains = [
        [leaf, middle, root], [leaf, middle], [leaf], [alone],
        [TestCertificate("leaf", names: names, key: key, issuer: root, days: days), root],
      ]
      for chain in chains {
        let pem = chain.flatMap(\.pem)
        for form in [key.pem(), key.traditionalPEM()] {
          for (pem, key) in [(pem, form), (form + pem, nil)] as [([UInt8], [UInt8]?)] {
            let both = try readBoth(pem, key)
            let (own, openSSL) = (try #require(both.own), try #require(both.openSSL))
            #expect(own.isSame(as: openSSL) && own.hasRoot == openSSL.hasRoot)
            #expect(own.names == openSSL.names && own.kind == openSSL.kind)
            #expect(own.notBefore == openSSL.notBefore && own.notAfter == openSSL.notAfter)
            #expect(own.path == "a.crt" && !own.names.isEmpty)
          }
        }
      }
    }
  }

  @Test(arguments: [TestKey.Kind.p256, .p384, .rsa2048])
  func `the leaf and its intermediates are sent, and the root is not`(kind: TestKey.Kind) throws {
    let middle = TestCertificate("Middle", issuer: root, isAuthority: true)
    let leaf = TestCertificate("leaf", names: ["example.com"], key: TestKey(kind), issuer: middle)
    let alone = TestCertificate("alone", names: ["example.com"], key: TestKey(kind))
    for (chain, sent) in [
      ([leaf, middle, root], 2), ([leaf, middle], 2), ([leaf], 1), ([alone], 1),
    ] {
      let certificate = try #require(
        read(chain.flatMap(\.pem), chain[0].key.pem()).certificate)
      #expect(certificate.intermediateCount == sent - 1)
      let material = TLSMaterial(
        certificates: [("a", certificate)], ticketKeys: TicketKeys(), now: now)
      let (connection, result) = try connect(material, context: ServerContext())
      #expect(result == .init(server: .done, client: .done))
      #expect(connection.client.chainLength == sent)
    }
  }

  @Test func `an authority's certificate for its own next key is not a root`() throws {
    let next = TestCertificate(
      "Root", issuer: root, isAuthority: true, hasKeyIdentifier: true, authorityKey: "05060708")
    let leaf = TestCertificate("leaf", names: ["a.test"], issuer: next, authorityKey: "01020304")
    for chain in [[leaf, next], [leaf, next, root]] {
      let certificate = try #require(
        read(chain.flatMap(\.pem), leaf.key.pem()).certificate)
      #expect(certificate.intermediateCount == 1)
      #expect(certificate.hasRoot == (chain.count == 3))
    }
  }

  @Test func `unusual files are served all the same`() throws {
    let middle = TestCertificate("Middle", issuer: root, isAuthority: true)
    let leaf = TestCertificate("leaf", names: ["a.test"], issuer: middle)
    let edwards = TestCertificate("leaf", names: ["a.test"], key: TestKey(.ed25519))
    let large = TestCertificate("leaf", names: ["a.test"], key: TestKey(.p384))
    let rows: [(comment: Comment, chain: [UInt8], key: [UInt8], sent: Int, codes: [String])] = [
      ("the leaf last", middle.pem + leaf.pem, leaf.key.pem(), 2, ["T011"]),
      ("the root first", root.pem + middle.pem + leaf.pem, leaf.key.pem(), 2, ["T011"]),
      ("a root twice", leaf.pem + middle.pem + root.pem + root.pem, leaf.key.pem(), 2, []),
      ("a stray", leaf.pem + middle.pem + edwards.pem, leaf.key.pem(), 2, []),
      ("no issuer, but another", leaf.pem + root.pem, leaf.key.pem(), 1, []),
      ("an Edwards curve", edwards.pem, edwards.key.pem(), 1, []),
      ("others before and after", edwards.pem + large.pem + leaf.pem, large.key.pem(), 1, ["T011"]),
      ("another label", Self.relabelled(leaf.pem), leaf.key.pem(), 1, []),
    ]
    for row in rows {
      let inspection = read(row.chain, row.key)
      #expect(codes(of: inspection.diagnostics) == row.codes, row.comment)
      let certificate = try #require(inspection.certificate, row.comment)
      #expect(certificate.intermediateCount == row.sent - 1, row.comment)
      let (connection, result) = try connect(
        .init(certificates: [("a", certificate)], ticketKeys: TicketKeys(), now: now),
        context: ServerContext(), client { $0.serverName = "a.test" })
      #expect(result == .init(server: .done, client: .done), row.comment)
      #expect(connection.client.chainLength == row.sent, row.comment)
    }
  }

  private static func relabelled(_ pem: [UInt8]) -> [UInt8] {
    let text = String(decoding: pem, as: UTF8.self)
    let other = text.replacing("N CERTIFICATE", with: "N X509 CERTIFICATE")
    return Array(other.replacing("D CERTIFICATE", with: "D X509 CERTIFICATE").utf8)
  }

  /// P-256 with its parameters spelled out instead of its name; good until 2126.
  private static let explicitCurve = (
    chain: """
    -----BEGIN CERTIFICATE-----
    MIICdjCCAhygAwIBAgIUWR6JtPSjpi1qoBoOkch5zGXUcFwwCgYIKoZIzj0EAwIw
    DDEKMAgGA1UEAwwBZTAgFw0yNjExMjIxMDA0NTJaGA8yMTI2MTAyOTEwMDQ1Mlow
    DDEKMAgGA1UEAwwBZTCCAUswggEDBgcqhkjOPQIBMIH3AgEBMCwGByqGSM49AQEC
    IQD/////AAAAAQAAAAAAAAAAAAAAAP///////////////zBbBCD/////AAAAAQAA
    AAAAAAAAAAAAAP///////////////AQgWsY12Ko6k+ez671VdpiGvGUdBrDMU7D2
    O848PifSYEsDFQDEnTYIhucEk2pmeOETnSa3gZ9+kARBBGsX0fLhLEJH+Lzm5WOk
    QPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/
    UfUCIQD/////AAAAAP//////////vOb6racXnoTzucrC/GMlUQIBAQNCAAS1yGdj
    2mVgs6DPrWTWQR53nXHkBSPs/rWVvG1+e+hnu+f5Ud0S0U6RYG+M1gPYQJN8EHba
    gv2kNWCIyAptBbEPo2YwZDAdBgNVHQ4EFgQU73E/XjZ9DYpUtMWTQ4O1vvn5g3sw
    HwYDVR0jBBgwFoAU73E/XjZ9DYpUtMWTQ4O1vvn5g3swDwYDVR0TAQH/BAUwAwEB
    /zARBgNVHREECjAIggZlLnRlc3QwCgYIKoZIzj0EAwIDSAAwRQIhAP6YZ/xD8f8F
    jUrKG9XcArygWSVa3WcZhsiHHJQYAcNkAiB6oe43yi9DZR/S4zLFUjPjyJZK31jQ
    fMN2xVZlH19ZsQ==
    -----END CERTIFICATE-----

    """,
    key: """
    -----BEGIN EC PRIVATE KEY-----
    MIIBaAIBAQQgzDT5LyTFYuC7qcC+cUImbTRbZRGU2+tWPe51SxbDnEmggfowgfcC
    AQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAAAAAAAAAAAAAA////////////////
    MFsEIP////8AAAABAAAAAAAAAAAAAAAA///////////////8BCBaxjXYqjqT57Pr
    vVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSdNgiG5wSTamZ44ROdJreBn36QBEEE
    axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54W
    K84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA//////////+85vqtpxeehPO5ysL8
    YyVRAgEBoUQDQgAEtchnY9plYLOgz61k1kEed51x5AUj7P61lbxtfnvoZ7vn+VHd
    EtFOkWBvjNYD2ECTfBB22oL9pDVgiMgKbQWxDw==
    -----END EC PRIVATE KEY-----

    """
  )

  @Test func `a curve may be spelled out`() throws {
    let (chain, key) = (Array(Self.explicitCurve.chain.utf8), Array(Self.explicitCurve.key.utf8))
    let both = try readBoth(chain, key)
    #expect(both.own == nil)
    let certificate = try #require(read(chain, key).certificate)
    #expect(certificate.kind == .ecdsa && certificate.names.hosts == ["e.test"])
    let (_, result) = try connect(
      .init(certificates: [("a", certificate)], ticketKeys: TicketKeys(), now: now),
      context: ServerContext(), client { $0.serverName = "e.test" })
    #expect(result == .init(server: .done, client: .done))
  }

  @Test func `files that cannot be served are explained`() throws {
    let leaf = TestCertificate("leaf", names: ["a.test"], issuer: root)
    let nameless = TestCertificate("leaf", issuer: root)
    let weak = TestCertificate("leaf", names: ["a.test"], key: TestKey(.rsa1024))
    let foreign = TestCertificate("leaf", names: ["a.test"], key: TestKey(.secp256k1))
    let key = leaf.key.pem()
    let many = leaf.pem + (1...TLSLimits.chainCertificates).flatMap { _ in root.pem }
    let garbage = Array("-----BEGIN CERTIFICATE-----\nMAMCAQA=\n-----END CERTIFICATE-----\n".utf8)
    let rows: [(chain: [UInt8], key: [UInt8]?, codes: [String])] = [
      (many, key, ["T017"]), (key, key, ["T001"]), (nameless.pem, nameless.key.pem(), ["T013"]),
      (leaf.pem, nil, ["T003"]), (leaf.pem, leaf.pem, ["T003"]),
      (leaf.pem, TestKey().pem(), ["T004"]),
      (leaf.pem, leaf.key.pem(passphrase: "secret"), ["T005"]),
      (leaf.pem, leaf.key.traditionalPEM(passphrase: "secret"), ["T005"]),
      (weak.pem, weak.key.pem(), ["T014"]), (foreign.pem, foreign.key.pem(), ["T006"]),
      ([], [], ["T001", "T003"]), (leaf.pem.dropLast(10), key, ["T002"]),
      (leaf.pem, key.dropLast(10), ["T002"]), (garbage, key, ["T002"]),
      (garbage, weak.key.pem(), ["T002", "T014"]), (leaf.pem + garbage, key, ["T002"]),
    ]
    for (index, row) in rows.enumerated() {
      let inspection = read(row.chain, row.key)
      #expect(inspection.certificate == nil, "row \(index)")
      #expect(codes(of: inspection.diagnostics) == row.codes, "row \(index)")
    }
  }

  @Test func `of changed bytes something is served or explained`() throws {
    let leaf = TestCertificate("leaf", names: ["a.test", "IP:127.0.0.1"])
    let (pem, key) = (leaf.pem, leaf.key.pem())
    var served = 0
    for index in stride(from: 0, to: pem.count, by: 3) {
      for change in [0x01, 0x02, 0x80] as [UInt8] {
        var changed = pem
        changed[index] ^= change
        let inspection = read(changed, key)
        if let certificate = inspection.certificate {
          served += 1
          _ = certificate.judge(trust: try trust.get(), issuers: nil, now: 0)
        } else {
          #expect(inspection.diagnostics.contains { $0.severity == .error }, "byte \(index)")
        }
      }
    }
    #expect(served > 10)
  }

  @Test func `times and readable keys are reported`() throws {
    let rows: [(days: ClosedRange<Int>, mode: UInt32, codes: [String])] = [
      (-9...90, 0o600, []), (-9...90, 0o644, ["T015"]), (-46...5, 0o640, ["T009"]),
      (-9 ... -1, 0o604, ["T007", "T015"]), (1...9, 0o600, ["T008"]),
    ]
    for row in rows {
      let leaf = TestCertificate("leaf", names: ["a.test"], issuer: root, days: row.days)
      let inspection = read(leaf.pem, leaf.key.pem(), mode: row.mode)
      #expect(codes(of: inspection.diagnostics) == row.codes)
      #expect(inspection.certificate != nil)
    }
  }

  @Test func `a renewed certificate is another one, and the same files are the same`() throws {
    let key = TestKey()
    let leaf = TestCertificate("leaf", names: ["a.test"], key: key, issuer: root)
    let renewed = TestCertificate("leaf", names: ["a.test"], key: key, issuer: root)
    let first = try #require(read(leaf.pem, key.pem()).certificate)
    #expect(first.isSame(as: try #require(read(leaf.pem + key.pem(), nil).certificate)))
    for other in [renewed.pem, leaf.pem + root.pem + TestCertificate("x").pem] {
      let certificate = try #require(read(other, key.pem()).certificate)
      #expect(first.isSame(as: certificate) == (other != renewed.pem))
    }
  }

  @Test func `equal intermediates are kept once`() {
    let chains = (0..<3).map { index in [[UInt8](repeating: UInt8(index % 2), count: 1000)] }
    let shared = chains.map { intermediates.shared($0) }
    #expect(shared == chains)
    let addresses = shared.map { chain in chain.withUnsafeBufferPointer { $0.baseAddress } }
    #expect(addresses[0] == addresses[2] && addresses[0] != addresses[1])
    // Past the limit others are shared.
    for index in 0...TLSLimits.sharedIntermediates {
      let chain = [Array("\(index)".utf8)]
      #expect(intermediates.shared(chain) == chain)
    }
  }
}

/// OpenSSL's judgement of served certificates.
@Suite struct JudgementTests {
  private let root = TestCertificate("Root", isAuthority: true)

  private func judge(
    _ chain: [TestCertificate], trust: TrustStore, issuers: KnownIssuers? = nil
  ) throws -> [Diagnostic] {
    try load(chain[0], chain: Array(chain.dropFirst()))
      .judge(trust: trust, issuers: issuers, now: Clock.wallSeconds())
  }

  @Test func `a chain is complete with a root, in the file or of the system`() throws {
    let middle = TestCertificate("Middle", issuer: root, isAuthority: true)
    let leaf = TestCertificate("leaf", names: ["a.test"], issuer: middle)
    let system = try trust.get()
    let own = try TrustStore.roots(in: SourceText(path: "root", bytes: root.pem))
    let issuers = KnownIssuers()
    // Twice: the second time the answer is remembered.
    for issuers in [nil, issuers, issuers] {
      #expect(try judge([leaf, middle, root], trust: system).isEmpty)
      #expect(try judge([leaf, middle], trust: own, issuers: issuers).isEmpty)
      #expect(
        try judge([leaf], trust: own, issuers: issuers).map(\.message) == [
          "the issuer \"Middle\" of \"leaf\" is not in the file and is not a root that this system trusts"
        ])
    }
    // The root of a company is neither in the file nor a public one, and there is nothing to append.
    let found = try #require(try judge([leaf, middle], trust: system).first)
    #expect(found.code == "T010" && !found.message.contains("incomplete"))
    #expect(found.help?.hasPrefix("if \"Root\" is a root of your own, install it") == true)
    #expect(found.note == "clients that do not have \"Root\" refuse the certificate")
  }

  @Test func `an expired certificate in a chain is a warning that says whether clients need it`()
    throws
  {
    let own = try TrustStore.roots(in: SourceText(path: "root", bytes: root.pem))
    // Signed by an older root too, which has expired since.
    let cross = TestCertificate(
      "Root", key: root.key, issuer: TestCertificate("Older root", isAuthority: true),
      isAuthority: true, days: -90 ... -1)
    let middle = TestCertificate("Middle", issuer: root, isAuthority: true)
    let leaf = TestCertificate("leaf", names: ["a.test"], issuer: middle)
    let spare = try judge([leaf, middle, cross], trust: own)
    #expect(spare.map(\.code) == ["T018"] && spare.first?.severity == .warning)
    #expect(spare.first?.help == "remove this certificate: no client needs it")
    let old = TestCertificate(
      "Middle", key: middle.key, issuer: root, isAuthority: true, days: -90 ... -1)
    let needed = try judge([leaf, old, root], trust: own)
    #expect(needed.map(\.code) == ["T018"] && needed.first?.note == "clients refuse the chain")
    // The current intermediate is sent, wherever it is in the file.
    #expect(try judge([leaf, old, middle, root], trust: own).isEmpty)
    // An expired certificate of the server is reported as such, when its dates are checked.
    let gone = TestCertificate("gone", names: ["a.test"], issuer: old, days: -90 ... -1)
    #expect(try judge([gone, old, root], trust: own).isEmpty)
  }

  @Test func `a certificate that only has the name of the issuer completes nothing`() throws {
    let middle = TestCertificate(
      "Middle", issuer: root, isAuthority: true, hasKeyIdentifier: true)
    let leaf = TestCertificate("leaf", names: ["a.test"], issuer: middle, authorityKey: "05060708")
    let diagnostics = try judge([leaf, middle, root], trust: try trust.get())
    #expect(diagnostics.map(\.code) == ["T010"])
    #expect(diagnostics[0].message.contains("the issuer \"Middle\" of \"leaf\""))
  }

  @Test func `a self-signed certificate is a note, and a weak signature an error`() throws {
    let alone = TestCertificate("alone", names: ["a.test"])
    #expect(try judge([alone], trust: try trust.get()).map(\.severity) == [.note])
    let weak = TestCertificate("leaf", names: ["a.test"], issuer: root, sha1: true)
    #expect(try judge([weak, root], trust: try trust.get()).map(\.severity) == [.error])
  }
}
