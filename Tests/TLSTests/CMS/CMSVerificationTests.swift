import Diagnostics
import TLSTestSupport
import Testing

@testable import TLS

@Suite struct CMSVerificationTests {
  private let day: Int64 = 86_400

  @Test func `time and trust decide, in this order`() throws {
    let stranger = TestCertificate("Stranger", isAuthority: true)
    let rows: [(days: ClosedRange<Int>, trustsRoot: Bool, name: String)] = [
      (-1...90, true, "good"),
      (-9 ... -1, true, "expired"),
      (1...9, true, "notYetValid"),
      (-1...90, false, "untrusted"),
      // Expired, but not trusted before either.
      (-9 ... -1, false, "untrusted"),
    ]
    for row in rows {
      let fixture = SigningFixture(days: row.days)
      let trust = try store(row.trustsRoot ? fixture.root : stranger)
      let verdict = CMS.verify(try fixture.signed(), trust: trust, now: now)
      #expect(verdict.name == row.name)
      if verdict.name == "untrusted" {
        #expect(
          verdict
            == .untrusted(
              signer: "example.com", issuer: "Root",
              reason: "unable to get local issuer certificate"))
      }
    }
  }

  @Test func `the time is the one given, and the chain's end the earliest`() throws {
    let root = TestCertificate("Root", isAuthority: true, days: -1...50)
    let leaf = TestCertificate("leaf", issuer: root)
    let der = TestSignedMessage.der([0x7B], signers: [leaf])
    let trust = try store(root)
    guard case .good(["leaf"], let end) = CMS.verify(der, trust: trust, now: now) else {
      Issue.record("not good")
      return
    }
    #expect(abs(end - (now + 50 * day)) < 60)
    // OpenSSL does not count the last second in.
    #expect(CMS.verify(der, trust: trust, now: end - 1).isGood)
    #expect(
      CMS.verify(der, trust: trust, now: end) == .expired(certificate: "Root", notAfter: end))
    #expect(CMS.verify(der, trust: trust, now: now - 2 * day).name == "notYetValid")
  }

  @Test func `a self-signed certificate is good where it is trusted itself`() throws {
    let own = TestCertificate("own", names: ["own.test"])
    let der = TestSignedMessage.der([0x7B], signers: [own])
    #expect(CMS.verify(der, trust: try store(own), now: now).signers == ["own"])
    #expect(
      CMS.verify(der, trust: try store(TestCertificate("other")), now: now)
        == .untrusted(signer: "own", issuer: "own", reason: "self-signed certificate"))
  }

  @Test func `a root that the file brings is not trusted for that`() throws {
    let fixture = SigningFixture()
    let der = TestSignedMessage.der([0x7B], signers: [fixture.leaf], others: [fixture.root])
    #expect(try fixture.verdict(der).isGood)
    let verdict = CMS.verify(der, trust: try store(TestCertificate("other")), now: now)
    #expect(
      verdict
        == .untrusted(
          signer: "example.com", issuer: "Root",
          reason: "self-signed certificate in certificate chain"))
  }

  @Test func `an issuer that is not an authority is not trusted`() throws {
    let root = TestCertificate("Root", isAuthority: true)
    let middle = TestCertificate("Middle", issuer: root)
    let leaf = TestCertificate("leaf", issuer: middle)
    let der = TestSignedMessage.der([0x7B], signers: [leaf], others: [middle])
    #expect(
      CMS.verify(der, trust: try store(root), now: now)
        == .untrusted(signer: "leaf", issuer: nil, reason: "invalid CA certificate"))
  }

  @Test func `a certificate that another key signed was altered`() throws {
    let namesake = TestCertificate("Root", isAuthority: true)
    let fixture = SigningFixture()
    let verdict = CMS.verify(try fixture.signed(), trust: try store(namesake), now: now)
    #expect(verdict.name == "altered")
  }

  @Test func `of several signers every one must be good`() throws {
    let fixture = SigningFixture()
    let second = TestCertificate("second", key: TestKey(.rsa2048), issuer: fixture.root)
    let expired = TestCertificate("old", issuer: fixture.root, days: -9 ... -1)
    let stranger = TestCertificate("stranger", issuer: TestCertificate("X", isAuthority: true))
    let rows: [(signers: [TestCertificate], name: String)] = [
      ([fixture.leaf, second], "good"),
      ([fixture.leaf, expired], "expired"),
      ([fixture.leaf, stranger], "untrusted"),
      ([stranger, fixture.leaf], "untrusted"),
    ]
    for row in rows {
      let verdict = try fixture.verdict(TestSignedMessage.der([0x7B], signers: row.signers))
      #expect(verdict.name == row.name)
      if verdict.isGood { #expect(verdict.signers?.count == 2) }
    }
  }

  @Test(
    arguments: [
      // Without signed attributes, signer named by key, BER, RSASSA-PSS.
      ([], "good"), ([.withoutAttributes], "good"), ([.byKey], "good"), ([.streamed], "good"),
      ([.pss], "good"), ([.streamed, .withoutAttributes], "good"),
      ([.detached], "detached"), ([.withoutCertificates], "noSigner"),
    ] as [(TestSignedMessage.Options, String)])
  func `every form of signed data is judged`(
    options: TestSignedMessage.Options, name: String
  ) throws {
    let fixture = SigningFixture()
    // Naming it by key takes a key identifier.
    let leaf = TestCertificate(
      "leaf", key: TestKey(.rsa2048), issuer: fixture.root, hasKeyIdentifier: true)
    for digest in [TestSignedMessage.Digest.sha1, .sha256, .sha512] {
      let der = TestSignedMessage.der(fixture.content, signers: [leaf], options, digest: digest)
      #expect(try fixture.verdict(der).name == name)
      if name == "detached" {
        #expect(throws: CMSError.detached) { try CMS.content(of: der) }
      } else {
        #expect(try CMS.content(of: der) == fixture.content)
      }
    }
  }

  @Test func `data without a signature is not good`() throws {
    let fixture = SigningFixture()
    let der = TestSignedMessage.unsigned(fixture.content, with: fixture.leaf)
    #expect(try fixture.verdict(der) == .noSigner)
    #expect(try CMS.content(of: der) == fixture.content)
  }

  @Test func `signers and certificates are limited`() throws {
    let fixture = SigningFixture()
    let many = (0...TLSLimits.signers).map { TestCertificate("\($0)", issuer: fixture.root) }
    let allowed = TestSignedMessage.der([0x7B], signers: Array(many.dropLast()))
    #expect(try fixture.verdict(allowed).signers?.count == TLSLimits.signers)
    #expect(try fixture.verdict(TestSignedMessage.der([0x7B], signers: many)).name == "malformed")

    let others = (1...TLSLimits.chainCertificates).map {
      TestCertificate("o\($0)", key: fixture.root.key, issuer: fixture.root)
    }
    let full = TestSignedMessage.der(
      [0x7B], signers: [fixture.leaf], others: Array(others.dropLast()))
    #expect(try fixture.verdict(full).isGood)
    let past = TestSignedMessage.der([0x7B], signers: [fixture.leaf], others: others)
    #expect(try fixture.verdict(past).name == "malformed")
  }

  @Test func `every verdict is one sentence`() {
    let verdicts: [SignatureVerdict] = [
      .good(signers: ["a", "b"], notAfter: 0), .untrusted(signer: "a", issuer: "b", reason: "c"),
      .untrusted(signer: "a", issuer: nil, reason: "c"), .expired(certificate: "a", notAfter: 0),
      .notYetValid(certificate: "a", notBefore: 0), .altered(reason: "a"), .noSigner, .detached,
      .malformed(reason: "a"),
    ]
    for verdict in verdicts {
      #expect(verdict.message.first?.isLowercase == true && !verdict.message.hasSuffix("."))
      #expect((verdict.help == nil) == verdict.isGood)
    }
  }

  @Test func `a trust file must hold certificates`() {
    #expect(throws: CMSError.self) { try TrustStore.roots(in: SourceText(path: "t", bytes: [])) }
    #expect(throws: CMSError.self) {
      try TrustStore.roots(in: SourceText(path: "t", bytes: TestKey().pem()))
    }
    // Twice the same is not a fault.
    let root = TestCertificate("Root", isAuthority: true)
    #expect(throws: Never.self) { try store(root, root) }
  }
}
