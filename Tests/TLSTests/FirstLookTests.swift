import Diagnostics
import TLSTestSupport
import Testing

@testable import TLS

@Suite struct FirstLookTests {
  private let intermediates = SharedIntermediates()
  private let root = TestCertificate("Root", isAuthority: true)

  private func look(
    _ chain: [UInt8], key: [UInt8]?, mode: UInt32? = nil
  ) -> CertificateInspection? {
    let file = CertificateFile(
      chain: SourceText(path: "a.crt", bytes: chain),
      key: key.map { SourceText(path: "a.key", bytes: $0) }, keyMode: mode)
    return file.firstLook(
      .init(now: now, warningDays: 14, intermediates: intermediates))
  }

  private func inspect(_ chain: [UInt8], key: [UInt8]?) throws -> Certificate? {
    let file = CertificateFile(
      chain: SourceText(path: "a.crt", bytes: chain),
      key: key.map { SourceText(path: "a.key", bytes: $0) })
    return file.inspect(.init(now: now, trust: try trust.get())).certificate
  }

  @Test func `it serves what a full inspection serves`() throws {
    let middle = TestCertificate("Middle", issuer: root, isAuthority: true)
    for kind in [TestKey.Kind.p256, .p384, .rsa2048] {
      let leaf = TestCertificate(
        "leaf", names: ["example.com", "*.a.test"], key: TestKey(kind), issuer: middle)
      let alone = TestCertificate("alone", names: ["example.com"], key: TestKey(kind))
      for (chain, sent) in [
        ([leaf, middle, root], 2), ([leaf, middle], 2), ([leaf], 1), ([alone], 1),
      ] {
        let pem = chain.flatMap(\.pem)
        let key = chain[0].key.pem()
        for (pem, key) in [(pem, key), (key + pem, nil)] as [([UInt8], [UInt8]?)] {
          let seen = try #require(look(pem, key: key)?.certificate)
          let inspected = try #require(try inspect(pem, key: key))
          #expect(seen.isSame(as: inspected))
          #expect(seen.names == inspected.names && seen.kind == inspected.kind)
          #expect(seen.notBefore == inspected.notBefore && seen.notAfter == inspected.notAfter)
          #expect(seen.isSelfSigned == inspected.isSelfSigned)
          let material = TLSMaterial.build(
            certificates: [("a", seen)], ticketKeys: TicketKeys(), now: now)
          let (connection, result) = try connect(material, context: ServerContext())
          #expect(result == .init(server: .done, client: .done))
          #expect(connection.client.chainLength == sent)
        }
      }
    }
  }

  @Test(arguments: [TestKey.Kind.p256, .p384])
  func `an elliptic key is the same in whichever form it stands, and another one is not`(
    kind: TestKey.Kind
  ) throws {
    let (key, other) = (TestKey(kind), TestKey(kind))
    let leaf = TestCertificate("leaf", names: ["example.com"], key: key)
    let seen = try [key.pem(), key.traditionalPEM()].map { form in
      [try #require(look(leaf.pem, key: form)?.certificate)]
        + [try #require(try inspect(leaf.pem, key: form))]
    }
    for certificate in seen.joined() {
      #expect(certificate.isSame(as: seen[0][0]))
      #expect(certificate.path == "a.crt" && certificate.names.hosts == ["example.com"])
      let material = TLSMaterial.build(
        certificates: [("a", certificate)], ticketKeys: TicketKeys(), now: now)
      let (_, result) = try connect(material, context: ServerContext())
      #expect(result == .init(server: .done, client: .done))
    }
    let again = TestCertificate("leaf", names: ["example.com"], key: other)
    let renewed = try #require(look(again.pem, key: other.pem())?.certificate)
    #expect(!renewed.isSame(as: seen[0][0]))
  }

  @Test func `what is unusual is left to the full inspection`() throws {
    let middle = TestCertificate("Middle", issuer: root, isAuthority: true)
    let leaf = TestCertificate("leaf", names: ["a.test"], issuer: middle)
    let nameless = TestCertificate("leaf", issuer: middle)
    let edwards = TestCertificate("leaf", names: ["a.test"], key: TestKey(.ed25519))
    let weak = TestCertificate("leaf", names: ["a.test"], key: TestKey(.rsa1024))
    let key = leaf.key.pem()
    let rows: [(chain: [UInt8], key: [UInt8]?)] = [
      // The wrong order; a stray certificate; a root twice; too many.
      (middle.pem + leaf.pem, key), (leaf.pem + root.pem, key),
      (leaf.pem + middle.pem + root.pem + root.pem, key),
      (leaf.pem + (0...Limits.chainCertificates).flatMap { _ in middle.pem }, key),
      // No certificate, no names, no key, another key, an encrypted one.
      (key, key), (nameless.pem, nameless.key.pem()), (leaf.pem, nil), (leaf.pem, leaf.pem),
      (leaf.pem, TestKey().pem()), (leaf.pem, leaf.key.pem(passphrase: "secret")),
      (leaf.pem, leaf.key.traditionalPEM(passphrase: "secret")),
      // Kinds of keys.
      (edwards.pem, edwards.key.pem()), (weak.pem, weak.key.pem()),
      // No PEM.
      ([], []), (leaf.pem.dropLast(10), key), (leaf.pem, key.dropLast(10)),
    ]
    for (index, row) in rows.enumerated() {
      #expect(look(row.chain, key: row.key) == nil, "row \(index)")
    }
  }

  @Test func `times and readable keys are told at once`() throws {
    let rows: [(days: ClosedRange<Int>, mode: UInt32, codes: [String])] = [
      (-9...90, 0o600, []), (-9...90, 0o644, ["T015"]), (-9...5, 0o640, ["T009"]),
      (-9 ... -1, 0o604, ["T007", "T015"]), (1...9, 0o600, ["T008"]),
    ]
    for row in rows {
      let leaf = TestCertificate("leaf", names: ["a.test"], issuer: root, days: row.days)
      let inspection = try #require(look(leaf.pem, key: leaf.key.pem(), mode: row.mode))
      #expect(inspection.diagnostics.map(\.code) == row.codes)
      #expect(inspection.certificate != nil)
    }
  }

  @Test func `equal intermediates are kept once`() {
    let chains = (0..<3).map { index in [[UInt8](repeating: UInt8(index % 2), count: 1000)] }
    let shared = chains.map { intermediates.shared($0) }
    #expect(shared == chains)
    let addresses = shared.map { chain in chain.withUnsafeBufferPointer { $0.baseAddress } }
    #expect(addresses[0] == addresses[2] && addresses[0] != addresses[1])
    // Past the limit others are shared.
    for index in 0...Limits.sharedIntermediates {
      let chain = [Array("\(index)".utf8)]
      #expect(intermediates.shared(chain) == chain)
    }
  }
}
