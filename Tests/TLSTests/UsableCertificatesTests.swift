import TLSTestSupport
import Testing

@testable import TLS

@Suite struct UsableCertificatesTests {
  private func usable() throws -> UsableCertificate {
    let certificate = TestCertificate("leaf", names: ["a.test"])
    let (pem, key) = (certificate.pem, certificate.key.pem())
    let encoded = try PEM.decode(try PEM.blocks(in: pem)[0], in: pem)
    let leaf = try #require(X509(der: encoded))
    let der = try PEM.decode(try PEM.blocks(in: key)[0], in: key)
    let decoded = PrivateKey(der: der.span)
    let made = try #require(decoded)
    return try #require(UsableCertificate(leaf: leaf, intermediates: [], key: made))
  }

  @Test func `so many are kept, and those in use the longest`() throws {
    let kept = UsableCertificates(capacity: 3)
    let certificate = try usable()
    for number in 0..<3 { kept.keep(certificate, as: UInt64(number)) }
    #expect(kept.count == 3)
    // 1 was used, so 0 and 2 go first.
    #expect(kept.find(1) != nil)
    kept.keep(certificate, as: 3)
    kept.keep(certificate, as: 4)
    #expect((0..<5).map { kept.find($0) != nil } == [false, true, false, true, true])
    #expect(kept.count == 3)
    // All in use: one goes all the same.
    kept.keep(certificate, as: 5)
    #expect(kept.count == 3 && kept.find(5) != nil)
    // Twice the same.
    kept.keep(certificate, as: 5)
    #expect(kept.count == 3)
  }

  @Test func `what is removed is gone, and the others stay`() throws {
    let kept = UsableCertificates(capacity: 4)
    let certificate = try usable()
    for number in 0..<4 { kept.keep(certificate, as: UInt64(number)) }
    for number in [0, 3, 9] as [UInt64] { kept.remove(number) }
    #expect((0..<4).map { kept.find($0) != nil } == [false, true, true, false])
    for number in 4..<9 { kept.keep(certificate, as: UInt64(number)) }
    #expect(kept.count == 4)
    for number in 0..<9 { kept.remove(UInt64(number)) }
    #expect(kept.count == 0)
    kept.keep(certificate, as: 9)
    #expect(kept.find(9) != nil)
  }

  @Test func `a certificate given up is decoded again, and one that goes takes it along`() throws {
    weak var remembered: UsableCertificate?
    let kept = UsableCertificates(capacity: 1)
    do {
      let first = try usable()
      remembered = first
      kept.keep(first, as: 1)
    }
    #expect(remembered != nil)
    kept.keep(try usable(), as: 2)
    #expect(remembered == nil)

    // More than are kept, each served twice, from its own chain and key.
    let context = try ServerContext()
    let made = try (0..<8).map { try load(TestCertificate("\($0)", names: ["\($0).test"])) }
    let material = TLSMaterial.build(
      certificates: made.map { ("a", $0) }, ticketKeys: TicketKeys(), now: now)
    for round in 0..<2 {
      for index in 0..<8 {
        let options = client { $0.serverName = "\(index).test" }
        let (connection, result) = try connect(material, context: context, options)
        #expect(result == .init(server: .done, client: .done), "round \(round)")
        #expect(connection.client.serverCommonName == "\(index)")
      }
    }
  }

  @Test func `two kinds of keys for one name are decoded when they are first used`() throws {
    let both = try material([
      TestCertificate("ecdsa", names: ["example.com"]),
      TestCertificate("rsa", names: ["example.com"], key: TestKey(.rsa2048)),
    ])
    let context = try ServerContext()
    for (algorithms, name) in [("ECDSA+SHA256", "ecdsa"), ("RSA-PSS+SHA256", "rsa")] {
      let options = client { $0.signatureAlgorithms = algorithms }
      let (connection, result) = try connect(both, context: context, options)
      #expect(result == .init(server: .done, client: .done))
      #expect(connection.client.serverCommonName == name)
    }
  }

  @Test func `sealed bytes are copied, compared and given back`() throws {
    for bytes in [[], [1], [UInt8](repeating: 7, count: 5000)] as [[UInt8]] {
      let sealed = try #require(SealedBytes(copying: bytes))
      #expect(sealed.withBytes { span in span.indices.map { span[$0] } } == bytes)
      let same = try #require(SealedBytes(copying: bytes))
      let longer = try #require(SealedBytes(copying: bytes + [0]))
      #expect(sealed.isSame(as: same) && !sealed.isSame(as: longer))
    }
    let left = try #require(SealedBytes(copying: [1, 2, 3]))
    let right = try #require(SealedBytes(copying: [1, 2, 4]))
    #expect(!left.isSame(as: right))
  }
}
