import Diagnostics
import TLSTestSupport
import Testing

@testable import TLS

@Suite struct CMSSigningTests {
  private func text(_ bytes: [UInt8], _ path: String) -> SourceText {
    SourceText(path: path, bytes: bytes)
  }

  @Test(arguments: [TestKey.Kind.rsa2048, .p256, .p384])
  func `signed content is read again byte for byte`(kind: TestKey.Kind) throws {
    let fixture = SigningFixture(kind)
    let der = try fixture.signed()
    #expect(try CMS.content(of: der) == fixture.content)
    #expect(try fixture.verdict(der).signers == ["example.com"])
    // Definite lengths: DER, as servers and Apple's first readers expect.
    #expect(der[1] != 0x80)
  }

  @Test(arguments: [0, 1, TLSLimits.signedContentBytes])
  func `content of every size Apple takes is signed`(count: Int) throws {
    let fixture = SigningFixture()
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let identity = try SigningIdentity(
      certificate: text(fixture.leaf.pem, "a.crt"), key: text(fixture.leaf.key.pem(), "a.key"))
    let der = try CMS.sign(content, by: identity)
    #expect(try CMS.content(of: der) == content)
    #expect(try fixture.verdict(der).isGood)
  }

  @Test func `content past Apple's limit is neither signed nor read`() throws {
    let fixture = SigningFixture()
    let count = TLSLimits.signedContentBytes + 1
    let content = [UInt8](repeating: 0x20, count: count)
    let identity = try SigningIdentity(
      certificate: text(fixture.leaf.pem, "a.crt"), key: text(fixture.leaf.key.pem(), "a.key"))
    #expect(throws: CMSError.contentTooLarge(bytes: count)) {
      try CMS.sign(content, by: identity)
    }
    let der = TestSignedMessage.der(content, signers: [fixture.leaf])
    #expect(throws: CMSError.contentTooLarge(bytes: count)) { try CMS.content(of: der) }
    #expect(try fixture.verdict(der).name == "malformed")
  }

  @Test func `the chain goes along, from either file, once`() throws {
    let root = TestCertificate("Root", isAuthority: true)
    let middle = TestCertificate("Middle", issuer: root, isAuthority: true)
    let leaf = TestCertificate("leaf", issuer: middle)
    let key = leaf.key.pem()
    let rows: [(certificate: [UInt8], chain: [UInt8]?)] = [
      (leaf.pem, middle.pem),
      (leaf.pem + middle.pem, nil),
      // The key's certificate is the signer, whatever its place.
      (middle.pem + leaf.pem, nil),
      // Repeated, and with the root.
      (leaf.pem + leaf.pem + middle.pem, leaf.pem + middle.pem + root.pem),
      // With the key in the same file.
      (leaf.pem + key + middle.pem, nil),
    ]
    for row in rows {
      let identity = try SigningIdentity(
        certificate: text(row.certificate, "a.crt"), key: text(key, "a.key"),
        chain: row.chain.map { text($0, "chain.pem") })
      let der = try CMS.sign([0x7B, 0x7D], by: identity)
      #expect(CMS.verify(der, trust: try store(root), now: now).signers == ["leaf"])
    }
    let identity = try SigningIdentity(
      certificate: text(leaf.pem, "a.crt"), key: text(key, "a.key"))
    let bare = try CMS.sign([0x7B, 0x7D], by: identity)
    #expect(
      CMS.verify(bare, trust: try store(root), now: now)
        == .untrusted(
          signer: "leaf", issuer: "Middle", reason: "unable to get local issuer certificate"))
  }

  @Test func `files that cannot sign are refused by name`() throws {
    let leaf = TestCertificate("leaf")
    let good = (certificate: leaf.pem, key: leaf.key.pem())
    let weak = TestCertificate("weak", key: TestKey(.rsa1024))
    let edwards = TestCertificate("edwards", key: TestKey(.ed25519))
    let many = (0...TLSLimits.chainCertificates).flatMap { _ in leaf.pem }
    let broken = good.certificate.dropLast(40)
    let other = Array("-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n".utf8)
    let rows: [(certificate: [UInt8], key: [UInt8], chain: [UInt8]?, code: String, path: String)] =
      [
        ([], good.key, nil, "T001", "a.crt"),
        (good.key, good.key, nil, "T001", "a.crt"),
        (Array(broken), good.key, nil, "T002", "a.crt"),
        (other, good.key, nil, "T002", "a.crt"),
        (good.certificate, [], nil, "T003", "a.key"),
        (good.certificate, good.certificate, nil, "T003", "a.key"),
        (good.certificate, TestKey().pem(), nil, "T004", "a.key"),
        // No question is asked.
        (good.certificate, leaf.key.pem(passphrase: "x"), nil, "T005", "a.key"),
        (good.certificate, leaf.key.traditionalPEM(passphrase: "x"), nil, "T005", "a.key"),
        (edwards.pem, edwards.key.pem(), nil, "T006", "a.key"),
        (weak.pem, weak.key.pem(), nil, "T014", "a.key"),
        (good.certificate, good.key, [], "T001", "chain.pem"),
        (good.certificate, good.key, many, "T017", "chain.pem"),
        (
          good.certificate, good.key, [UInt8](repeating: 0x0A, count: TLSLimits.pemFileBytes + 1),
          "T017", "chain.pem"
        ),
      ]
    for row in rows {
      do {
        _ = try SigningIdentity(
          certificate: text(row.certificate, "a.crt"), key: text(row.key, "a.key"),
          chain: row.chain.map { text($0, "chain.pem") })
        Issue.record("accepted, \(row.code) expected")
      } catch {
        guard case .file(let fault) = error else {
          Issue.record("\(error)")
          continue
        }
        let diagnostic = fault.diagnostic
        #expect(diagnostic.code == row.code && diagnostic.location?.path == row.path)
        #expect(diagnostic.help != nil)
      }
    }
  }

  @Test(
    arguments: [
      (-9 ... -1, "expired on"), (1...9, "is not valid before"), (-1...1, nil),
    ] as [(ClosedRange<Int>, String?)])
  func `a certificate outside its validity is reported, and signs`(
    days: ClosedRange<Int>, words: String?
  ) throws {
    let leaf = TestCertificate("leaf", days: days)
    let identity = try SigningIdentity(
      certificate: text(leaf.pem, "a.crt"), key: text(leaf.key.pem(), "a.key"))
    let warning = identity.validityWarning(at: now)
    #expect((warning == nil) == (words == nil))
    if let words { #expect(warning?.contains(words) == true) }
    #expect(try CMS.content(of: CMS.sign([0x7B], by: identity)) == [0x7B])
  }
}
