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

  /// Its identity stands for a served certificate.
  private final class Owner {}

  @Test func `a bounded number is kept, and those in use the longest`() throws {
    let kept = UsableCertificates(capacity: 6)
    let certificate = try usable()
    let owners = (0..<100).map { _ in Owner() }
    for owner in owners {
      kept.keep(certificate, for: ObjectIdentifier(owner))
      #expect(kept.count <= 6)
      // Used repeatedly.
      #expect(kept.find(ObjectIdentifier(owners[0])) != nil)
    }
    #expect(kept.find(ObjectIdentifier(owners[99])) != nil)
    #expect(kept.find(ObjectIdentifier(owners[50])) == nil)
    // Twice the same.
    let count = kept.count
    kept.keep(certificate, for: ObjectIdentifier(owners[99]))
    #expect(kept.count == count)
  }

  @Test func `a removed certificate is gone, and the others stay`() throws {
    let kept = UsableCertificates(capacity: 4)
    let certificate = try usable()
    let owners = (0..<4).map { _ in Owner() }
    for owner in owners { kept.keep(certificate, for: ObjectIdentifier(owner)) }
    #expect(kept.count == 4)
    for index in [0, 3, 3] { kept.remove(ObjectIdentifier(owners[index])) }
    #expect(
      owners.map { kept.find(ObjectIdentifier($0)) != nil } == [false, true, true, false])
    for owner in owners { kept.remove(ObjectIdentifier(owner)) }
    #expect(kept.count == 0)
  }

  @Test func `a certificate that is given up is freed, and decoded again when it is used`() throws {
    weak var remembered: UsableCertificate?
    let kept = UsableCertificates(capacity: 2)
    let owners = (0..<3).map { _ in Owner() }
    do {
      let first = try usable()
      remembered = first
      kept.keep(first, for: ObjectIdentifier(owners[0]))
    }
    #expect(remembered != nil)
    for owner in owners[1...] { kept.keep(try usable(), for: ObjectIdentifier(owner)) }
    #expect(remembered == nil)

    // More than are kept, each served twice, from its own chain and key.
    let context = try ServerContext()
    let made = try (0..<8).map { try load(TestCertificate("\($0)", names: ["\($0).test"])) }
    let material = TLSMaterial(
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
