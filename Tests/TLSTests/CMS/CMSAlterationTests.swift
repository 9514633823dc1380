import Diagnostics
import TLSTestSupport
import TestRunning
import Testing

@testable import TLS

@Suite struct CMSAlterationTests {
  @Test(
    arguments: sample(
      [(.p256, 0x01), (.p256, 0x80), (.p256, 0xFF), (.rsa2048, 0x01)] as [(TestKey.Kind, UInt8)],
      of: 2))
  func `no altered byte goes unseen`(kind: TestKey.Kind, mask: UInt8) throws {
    let fixture = SigningFixture(kind)
    let der = try fixture.signed()
    let trust = try fixture.trust
    var good: [Int] = []
    for position in der.indices {
      var altered = der
      altered[position] ^= mask
      if CMS.verify(altered, trust: trust, now: now).isGood { good.append(position) }
      _ = try? CMS.content(of: altered)
    }
    // But for two that mean nothing: the version numbers of the signed data and of the signature,
    // which are not signed and which OpenSSL does not look at.
    #expect(good.count == 2)
    #expect(good.allSatisfy { der[($0 - 2)..<$0] == [0x02, 0x01] && der[$0] == 1 })
  }

  /// The bit that tells constructed from primitive, and upper from lower case in the issuer's
  /// name (RFC 5280 section 7.1), can be lost without changing what was signed.
  @Test func `a verified file has the content and the signer that were signed`() throws {
    let fixture = SigningFixture()
    let der = try fixture.signed()
    let trust = try fixture.trust
    for position in der.indices {
      for mask in sample([0x20, 0x02, 0x04, 0x08, 0x10, 0x40] as [UInt8], of: 2) {
        var altered = der
        altered[position] ^= mask
        let verdict = CMS.verify(altered, trust: trust, now: now)
        guard verdict.isGood else { continue }
        #expect(verdict.signers == ["example.com"])
        #expect(try CMS.content(of: altered) == fixture.content)
      }
    }
  }

  @Test func `altered content is reported as such`() throws {
    for options in [[], .withoutAttributes] as [TestSignedMessage.Options] {
      let fixture = SigningFixture()
      var der = TestSignedMessage.der(fixture.content, signers: [fixture.leaf], options)
      let start = try #require(
        der.indices.first { der[$0...].starts(with: fixture.content) })
      der[start + 3] ^= 1
      #expect(try fixture.verdict(der).name == "altered")
    }
  }

  @Test func `an opened file tells whether it was altered, whoever signed it`() throws {
    let fixture = SigningFixture()
    var der = try fixture.signed()
    let (content, verdict) = try CMS.open(der, .alteration)
    #expect(content == fixture.content && verdict == nil)
    #expect(try CMS.open(der, .trust(fixture.trust, now: now)).verdict?.isGood == true)
    let start = try #require(der.indices.first { der[$0...].starts(with: fixture.content) })
    der[start + 3] ^= 1
    let altered = try #require(try CMS.open(der, .alteration).verdict)
    #expect(altered.name == "altered" && altered.diagnostic(at: "f").isOf(.signatureBroken))
    #expect(try CMS.open(der, .contentOnly).verdict == nil)
    #expect(CMSError.detached.diagnostic(at: "f").isOf(.signedContentUnreadable))
  }

  @Test func `a type of content that was not signed is seen`() throws {
    for options in [[], .withoutAttributes] as [TestSignedMessage.Options] {
      let fixture = SigningFixture()
      var der = TestSignedMessage.der(fixture.content, signers: [fixture.leaf], options)
      // The last number of id-data, 1.2.840.113549.1.7.1, at its first place.
      let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
      let start = try #require(der.indices.first { der[$0...].starts(with: data) })
      der[start + data.count - 1] = 0x02
      #expect(try fixture.verdict(der).name == "altered")
    }
  }

  @Test func `whatever is cut off or added is malformed`() throws {
    let fixture = SigningFixture()
    for options in [[], .streamed] as [TestSignedMessage.Options] {
      let der = TestSignedMessage.der(fixture.content, signers: [fixture.leaf], options)
      let trust = try fixture.trust
      for count in 0..<der.count {
        let verdict = CMS.verify(Array(der.prefix(count)), trust: trust, now: now)
        #expect(verdict.name == "malformed")
      }
      for rest in [[0x0A], [0, 0], der] as [[UInt8]] {
        #expect(CMS.verify(der + rest, trust: trust, now: now).name == "malformed")
      }
    }
  }

  @Test func `garbage is malformed`() throws {
    let fixture = SigningFixture()
    // Lengths that are not there, nesting without end, indefinite lengths without an end.
    let nested = [UInt8](repeating: 0x30, count: 10_000)
    let rows: [[UInt8]] = [
      [], [0x30], [0x30, 0x80], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], nested,
      (0..<5_000).flatMap { _ in [0x30, 0x80] as [UInt8] }, Array("{}".utf8), fixture.leaf.pem,
      TestSignedMessage.encrypted(fixture.content),
    ]
    for row in rows {
      #expect(try fixture.verdict(row).name == "malformed")
      #expect(throws: CMSError.self) { try CMS.content(of: row) }
    }
    guard case .malformed(let reason) = try fixture.verdict(rows[8]) else { return }
    #expect(reason.contains("pkcs7-encryptedData"))
  }

  @Test func `a file past the limit is not read`() throws {
    let fixture = SigningFixture()
    let count = TLSLimits.signedFileBytes + 1
    #expect(throws: CMSError.fileTooLarge(bytes: count)) {
      try CMS.content(of: [UInt8](repeating: 0x30, count: count))
    }
    // At the limit it is OpenSSL that finds it wrong.
    #expect(try fixture.verdict([UInt8](repeating: 0x30, count: count - 1)).name == "malformed")
  }

  @Test func `noise is never good`() throws {
    let fixture = SigningFixture()
    let der = try fixture.signed()
    let trust = try fixture.trust
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      var noise = der
      for _ in 0..<Int.random(in: 2...20, using: &random) {
        let position = Int.random(in: noise.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: noise[position] = UInt8.random(in: 0...255, using: &random)
        case 1: noise.remove(at: position)
        default: noise.insert(UInt8.random(in: 0...255, using: &random), at: position)
        }
      }
      if CMS.verify(noise, trust: trust, now: now).isGood {
        #expect(try CMS.content(of: noise) == fixture.content)
      }
    }
  }
}
