import Diagnostics
import TLSTestSupport
import Testing

@testable import TLS

@Suite struct CertificateFileTests {
  /// Reads `chain`, with the key in a file of its own unless it is nil, and returns the result and
  /// OpenSSL's findings.
  private func inspect(
    _ chain: [UInt8], key: [UInt8]? = nil, mode: UInt32? = nil, days: Int = 14
  ) throws -> CertificateInspection {
    let file = CertificateFile(
      chain: SourceText(path: "a.crt", bytes: chain),
      key: key.map { SourceText(path: "a.key", bytes: $0) }, keyMode: mode)
    return try inspect(file, days: days)
  }

  private func inspect(
    _ file: CertificateFile, now: Int64 = TLSTests.now, days: Int = 14
  ) throws -> CertificateInspection {
    let read = file.read(.init(now: now, warningDays: days, intermediates: .init()))
    let trust = try trust.get()
    let judged = read.certificate?.judge(trust: trust, issuers: nil, now: now) ?? []
    return CertificateInspection(
      certificate: read.certificate, diagnostics: read.diagnostics + judged)
  }

  private func codes(_ inspection: CertificateInspection) -> [String] {
    inspection.diagnostics.map(\.code)
  }

  private let leaf = TestCertificate("leaf", names: ["a.test"])

  @Test func `chain and key are found in two files or one, in any order`() throws {
    let separate = try inspect(leaf.pem, key: leaf.key.pem())
    let combined = try inspect(leaf.pem + leaf.key.pem())
    let keyFirst = try inspect(leaf.key.pem() + leaf.pem)
    let traditional = try inspect(leaf.pem, key: leaf.key.traditionalPEM())
    // As `openssl ecparam -genkey` writes it: the curve first.
    let parameters =
      "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
    let withCurve = try inspect(leaf.pem, key: Array(parameters.utf8) + leaf.key.traditionalPEM())
    for inspection in [separate, combined, keyFirst, traditional, withCurve] {
      #expect(inspection.certificate?.names.hosts == ["a.test"])
      // Self-signed, and nothing else.
      #expect(codes(inspection) == ["T012"])
    }
  }

  @Test(arguments: [TestKey.Kind.p256, .p384, .rsa2048, .ed25519])
  func `every kind of key that TLS 1-3 signs with is taken`(kind: TestKey.Kind) throws {
    let leaf = TestCertificate("leaf", names: ["a.test"], key: TestKey(kind))
    let certificate = try inspect(leaf.pem, key: leaf.key.pem()).certificate
    let expected: Certificate.Kind =
      switch kind {
      case .rsa2048: .rsa
      case .ed25519: .ed25519
      default: .ecdsa
      }
    #expect(certificate?.kind == expected)
  }

  @Test(
    arguments: [
      // The key, the code, a part of the message.
      (.rsa1024, "T014", "the RSA key has 1024 bits"),
      (.secp256k1, "T006", "ECDSA on the curve secp256k1"),
      (.ed448, "T006", "ED448"),
    ] as [(TestKey.Kind, String, String)])
  func `keys that clients refuse are refused`(
    kind: TestKey.Kind, code: String, text: String
  ) throws {
    let leaf = TestCertificate("leaf", names: ["a.test"], key: TestKey(kind))
    let inspection = try inspect(leaf.pem, key: leaf.key.pem())
    #expect(inspection.certificate == nil)
    #expect(codes(inspection) == [code])
    #expect(inspection.diagnostics.first?.message.contains(text) == true)
  }

  @Test func `a key that is encrypted is refused without a question`() throws {
    for key in [leaf.key.pem(passphrase: "secret"), leaf.key.traditionalPEM(passphrase: "secret")] {
      let inspection = try inspect(leaf.pem, key: key)
      #expect(inspection.certificate == nil)
      #expect(codes(inspection) == ["T005"])
      #expect(inspection.diagnostics.first?.location?.path == "a.key")
    }
  }

  @Test func `a key of another certificate is refused`() throws {
    let inspection = try inspect(leaf.pem, key: TestKey().pem())
    #expect(inspection.certificate == nil)
    #expect(
      inspection.diagnostics.map(\.line) == [
        "a.key: error: the private key does not match any certificate in a.crt; "
          + "use the key with which the certificate was requested [T004]"
      ])
    #expect(codes(try inspect(leaf.pem + TestKey().pem())) == ["T004"])
    #expect(codes(try inspect(leaf.pem, key: TestKey(.rsa2048).pem())) == ["T004"])
  }

  @Test func `everything that is missing is reported at once`() throws {
    #expect(codes(try inspect(leaf.pem)) == ["T003"])
    #expect(codes(try inspect(leaf.pem, key: leaf.pem)) == ["T003"])
    #expect(codes(try inspect(leaf.key.pem(), key: leaf.key.pem())) == ["T001"])
    #expect(codes(try inspect([], key: [])) == ["T001", "T003"])
    #expect(codes(try inspect([0x30, 0x82, 0, 1], key: leaf.key.pem())) == ["T001"])
    let archive = try inspect([0x30, 0x82, 0, 9, 2, 1, 3, 0x30], key: leaf.key.pem())
    #expect(archive.diagnostics.first?.help?.contains("openssl pkcs12") == true)
    #expect(try inspect(leaf.pem + leaf.key.pem(), key: leaf.key.pem()).certificate != nil)
  }

  @Test func `a certificate without names is refused`() throws {
    let bare = TestCertificate("a.test")
    let inspection = try inspect(bare.pem, key: bare.key.pem())
    #expect(inspection.certificate == nil)
    #expect(codes(inspection) == ["T013"])
  }

  @Test(
    arguments: [
      // Days of validity, codes besides "self-signed", a part of the message.
      (-46...14, ["T009"], "expires in 13 days"),
      (-46...2, ["T009"], "expires in 1 day,"),
      (-46...1, ["T009"], "expires within a day"),
      (-46...15, [], ""),
      // A certificate of six days is not worth a warning from its first day on.
      (-3...3, [], ""),
      (-5...1, ["T009"], "expires within a day"),
      (-9 ... -1, ["T007"], "the certificate expired on 20"),
      (1...9, ["T008"], "not valid before 20"),
    ] as [(ClosedRange<Int>, [String], String)])
  func `times are reported, and do not keep a certificate from being served`(
    days: ClosedRange<Int>, expected: [String], text: String
  ) throws {
    let leaf = TestCertificate("leaf", names: ["a.test"], days: days)
    // A second may pass between making and judging it: 13 days and 23:59:59 are 13 days.
    let file = CertificateFile(
      chain: SourceText(path: "a.crt", bytes: leaf.pem + leaf.key.pem()))
    let inspection = try inspect(file, now: TLSTests.now + 60)
    #expect(inspection.certificate != nil)
    #expect(codes(inspection) == expected + ["T012"])
    if !text.isEmpty { #expect(inspection.diagnostics[0].message.contains(text)) }
  }

  @Test(arguments: [
    (UInt32(0o600), false), (0o640, false), (0o440, false), (0o604, true), (0o644, true),
    (0o100644, true),
  ])
  func `a key that others can read gets a warning`(mode: UInt32, isReported: Bool) throws {
    let inspection = try inspect(leaf.pem, key: leaf.key.pem(), mode: mode)
    #expect(codes(inspection) == (isReported ? ["T015", "T012"] : ["T012"]))
    #expect(inspection.certificate != nil)
    if isReported { #expect(inspection.diagnostics[0].message.contains("(mode 6")) }
  }

  @Test func `a signature OpenSSL takes for too weak is an error of its judgement`() throws {
    let root = TestCertificate("root", isAuthority: true)
    let leaf = TestCertificate("leaf", names: ["a.test"], issuer: root, sha1: true)
    let diagnostics = try inspect(leaf.pem, key: leaf.key.pem()).diagnostics
    #expect(diagnostics.map(\.code) == ["T016"])
    #expect(diagnostics[0].severity == .error && diagnostics[0].message.contains("md too weak"))
    // The certificates that clients see if it is served nevertheless.
    let (_, result) = try connect(try material([leaf]), context: ServerContext())
    #expect(result.client != .done)
  }

  // MARK: Chains

  private let root = TestCertificate("Root", isAuthority: true)

  @Test func `a chain is put in order and its root is not sent`() throws {
    let middle = TestCertificate("Middle", issuer: root, isAuthority: true)
    let leaf = TestCertificate("leaf", names: ["example.com"], issuer: middle)
    let stray = TestCertificate("Stray", isAuthority: true)
    let rows: [(chain: [TestCertificate], codes: [String], sent: Int)] = [
      // Complete with the private root.
      ([leaf, middle, root], [], 2),
      // An intermediate whose root is not trusted here: another may be missing.
      ([leaf, middle], ["T010"], 2),
      ([leaf], ["T010"], 1),
      // The wrong way round, or the rest of it.
      ([root, middle, leaf], ["T011"], 2),
      ([leaf, root, middle], ["T011"], 2),
      // Certificates outside the chain are not sent.
      ([leaf, middle, root, stray], [], 2),
    ]
    for row in rows {
      let inspection = try inspect(row.chain.flatMap(\.pem), key: leaf.key.pem())
      #expect(codes(inspection) == row.codes)
      let certificate = try #require(inspection.certificate)
      let material = TLSMaterial(
        certificates: [("a", certificate)], ticketKeys: TicketKeys(), now: now)
      let (connection, result) = try connect(material, context: ServerContext())
      #expect(result == .init(server: .done, client: .done))
      #expect(connection.client.chainLength == row.sent)
    }
  }

  @Test func `the order of the certificates after the server's own is reported as such`() throws {
    let key = TestKey()
    let new = TestCertificate("Middle", key: key, issuer: root, isAuthority: true)
    let old = TestCertificate("Middle", key: key, issuer: root, isAuthority: true, days: -9...(-1))
    let leaf = TestCertificate("leaf", names: ["example.com"], issuer: new)
    let chain = [leaf, new, old, root].flatMap(\.pem)
    let diagnostics = try inspect(chain, key: leaf.key.pem()).diagnostics
    #expect(
      diagnostics.first { $0.code == "T011" }?.message
        == "the chain is in the wrong order: each certificate must be followed by its issuer"
    )
  }

  @Test func `a missing issuer is named`() throws {
    let leaf = TestCertificate(
      "leaf", names: ["example.com"], issuer: root, issuerAddress: "http://root.test/root.der")
    let diagnostic = try #require(
      try inspect(leaf.pem, key: leaf.key.pem()).diagnostics.first)
    #expect(diagnostic.severity == .warning)
    #expect(diagnostic.message.contains("the issuer \"Root\" of \"leaf\""))
    #expect(
      diagnostic.help
        == "append the missing intermediate to the file, as in certbot's fullchain.pem")
  }

  // MARK: Limits

  @Test func `a chain has 32 certificates at most`() throws {
    let filler = (1..<TLSLimits.chainCertificates).flatMap { _ in root.pem }
    #expect(try inspect(leaf.pem + filler, key: leaf.key.pem()).certificate != nil)
    let inspection = try inspect(leaf.pem + filler + root.pem, key: leaf.key.pem())
    #expect(inspection.certificate == nil)
    #expect(codes(inspection) == ["T017"])
  }

  @Test func `a file has 1 MiB at most`() throws {
    let bytes = leaf.pem + leaf.key.pem()
    let full = bytes + [UInt8](repeating: 0x0A, count: TLSLimits.pemFileBytes - bytes.count)
    #expect(try inspect(full).certificate != nil)
    #expect(codes(try inspect(full + [0x0A])) == ["T017"])
  }

  @Test(
    arguments: [
      (0, "1970-01-01"), (-1, "1969-12-31"), (951_782_400, "2000-02-29"),
      (1_798_675_199, "2026-12-30"), (4_102_444_800, "2100-01-01"), (4_107_542_399, "2100-02-28"),
      (253_402_300_799, "9999-12-31"),
    ] as [(Int64, String)])
  func `days are counted as the calendar has them`(seconds: Int64, text: String) {
    #expect(day(seconds) == text)
  }
}
