import Diagnostics
import TLSTestSupport
import Testing

@testable import TLS

/// Our own reader finds what OpenSSL finds.
@Suite struct OutlineTests {
  private func der(_ pem: [UInt8]) throws -> [UInt8] {
    try PEM.decode(try PEM.blocks(in: pem)[0], in: pem)
  }

  /// The kind of an outline's key, as far as it is known without OpenSSL.
  private func kind(_ certificate: [UInt8], _ key: [UInt8]) throws -> Certificate.Kind? {
    let outline = try CertificateOutline(certificate)
    let keyOutline = try KeyOutline(key.span)
    return keyOutline.kind(for: outline, key.span)
  }

  @Test(
    arguments: [
      // Two digits of the year, four of them, both.
      -1...90, 10_000...20_000, -30...12_000,
    ], [TestKey.Kind.p256, .p384, .secp256k1, .rsa2048, .rsa1024, .ed25519, .ed448])
  func `names, times and issuers are OpenSSL's`(days: ClosedRange<Int>, kind: TestKey.Kind) throws {
    let root = TestCertificate("root", isAuthority: true)
    let rows: [[String]] = [
      [], ["a.test"], ["*.a.test", "B.test", "a.test"], ["IP:127.0.0.1", "IP:::1", "a.test"],
      (0..<100).map { "host-\($0).example.com" },
    ]
    for names in rows {
      for issuer in [root, nil] {
        let made = try der(
          TestCertificate(
            "leaf", names: names, key: TestKey(kind), issuer: issuer, days: days,
            hasKeyIdentifier: true
          ).pem)
        let parsed = try #require(X509(der: made))
        let outline = try CertificateOutline(made)
        #expect(outline.names == parsed.names)
        #expect(outline.notBefore == parsed.validity?.notBefore)
        #expect(outline.notAfter == parsed.validity?.notAfter)
        #expect(outline.isSelfIssued == parsed.isSelfSigned)
        #expect(outline.isIssued(by: try CertificateOutline(der(root.pem))) == (issuer != nil))
        #expect(parsed.der == made)
      }
    }
  }

  @Test(
    arguments: [
      (.p256, .ecdsa), (.p384, .ecdsa), (.rsa2048, .rsa),
      // Left to OpenSSL, or refused by it.
      (.ed25519, nil), (.ed448, nil), (.secp256k1, nil), (.rsa1024, nil),
    ] as [(TestKey.Kind, Certificate.Kind?)])
  func `keys are matched in every form`(key: TestKey.Kind, expected: Certificate.Kind?) throws {
    let certificate = TestCertificate("leaf", names: ["a.test"], key: TestKey(key))
    let made = try der(certificate.pem)
    let other = TestKey(key, isOther: true)
    var forms = [(certificate.key.pem(), other.pem())]
    // Edwards curves have none from before PKCS #8.
    if key != .ed25519 && key != .ed448 {
      forms.append((certificate.key.traditionalPEM(), other.traditionalPEM()))
    }
    for (form, wrong) in forms {
      #expect((try? kind(made, der(form))) == expected)
      #expect((try? kind(made, der(wrong))) == nil)
      // The same key, whichever way it is decoded.
      let bytes = try der(form)
      let key = PrivateKey(der: bytes.span)
      let parsed = try #require(key)
      #expect(try #require(X509(der: made)).matches(parsed))
      let sealed = try #require(parsed.sealed)
      let again = try #require(sealed.withBytes { PrivateKey(der: $0) })
      #expect(try #require(X509(der: made)).matches(again))
    }
  }

  @Test func `whatever is cut off or added, nothing is read from it`() throws {
    for key in [TestKey(.p256), TestKey(.rsa2048)] {
      let certificate = TestCertificate("leaf", names: ["a.test", "IP:127.0.0.1"], key: key)
      let made = try der(certificate.pem)
      for count in made.indices {
        #expect(throws: DER.Fault.self) { try CertificateOutline(Array(made.prefix(count))) }
      }
      #expect(throws: DER.Fault.self) { try CertificateOutline(made + [0]) }
      for form in [try der(key.pem()), try der(key.traditionalPEM())] {
        for count in form.indices {
          let part = Array(form.prefix(count))
          #expect(throws: DER.Fault.self) { try KeyOutline(part.span) }
        }
        let longer = form + [0]
        #expect(throws: DER.Fault.self) { try KeyOutline(longer.span) }
      }
    }
  }

  @Test func `changed bytes are read as OpenSSL reads them, or refused`() throws {
    let made = try der(TestCertificate("leaf", names: ["a.test", "IP:127.0.0.1"]).pem)
    var read = 0
    for index in made.indices {
      for change in [0x01, 0x80, 0xFF] as [UInt8] {
        var changed = made
        changed[index] ^= change
        guard let outline = try? CertificateOutline(changed) else { continue }
        // Stricter in the rest: it judges the certificate later.
        guard let parsed = X509(der: changed), let validity = parsed.validity else { continue }
        read += 1
        #expect(outline.notBefore == validity.notBefore && outline.notAfter == validity.notAfter)
        // OpenSSL reads all kinds of names or none; here the other kinds are passed over.
        if !parsed.names.isEmpty { #expect(outline.names == parsed.names) }
      }
    }
    #expect(read > 100)
  }

  @Test(
    arguments: [
      // Nothing, a tag alone, a length that is too long.
      ([], 0, false), ([0x30], 0, false), ([0x30, 0x01], 0, false),
      ([0x30, 0x00], 0, true), ([0x30, 0x01], 1, true),
      // The indefinite form; a long form that a shorter could be; one of four octets.
      ([0x30, 0x80], 2, false), ([0x30, 0x81, 0x00], 0, false),
      ([0x30, 0x81, 0x7F], 127, false), ([0x30, 0x81, 0x80], 128, true),
      ([0x30, 0x82, 0x00, 0x80], 128, false), ([0x30, 0x82, 0x01, 0x00], 256, true),
      ([0x30, 0x83, 0x01, 0x00, 0x00], 65_536, true),
      ([0x30, 0x84, 0x00, 0x00, 0x00, 0x00], 0, false), ([0x30, 0xFF], 0, false),
      ([0x30, 0x83, 0xFF, 0xFF, 0xFF], 0, false),
      // A tag of more octets.
      ([0x3F, 0x01, 0x00], 0, false), ([0x1F, 0x00], 0, false),
    ] as [([UInt8], Int, Bool)])
  func `lengths are read in their shortest form only`(head: [UInt8], zeros: Int, isRead: Bool) {
    let bytes = head + [UInt8](repeating: 0, count: zeros)
    var walk = DER(bytes.indices)
    let element = try? walk.next(bytes.span)
    #expect((element != nil) == isRead)
    if isRead { #expect(element?.whole == bytes.indices && walk.isAtEnd) }
  }

  @Test(
    arguments: [
      ([2, 1, 0], 2..<3), ([2, 1, 0x7F], 2..<3), ([2, 2, 0, 0x80], 3..<4), ([2, 2, 1, 0], 2..<4),
      // Empty, negative, longer than needed, another type.
      ([2, 0], nil), ([2, 1, 0x80], nil), ([2, 2, 0, 0x7F], nil), ([3, 1, 0], nil),
    ] as [([UInt8], Range<Int>?)])
  func `numbers are not negative and have no needless octets`(bytes: [UInt8], range: Range<Int>?) {
    var walk = DER(bytes.indices)
    let number = try? walk.nextNumber(bytes.span)
    #expect(number == range)
  }
}
