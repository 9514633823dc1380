import Posix
import TLSTestSupport
import Testing

@testable import TLS

/// A CA looks by TLS whether a name leads here (RFC 8737).
@Suite struct ChallengeTests {
  private let challenges = ChallengeCertificates()
  private let context: ServerContext
  private let material: TLSMaterial

  init() throws {
    context = try ServerContext(challenges: challenges)
    material = try TLSTests.material([TestCertificate("leaf", names: ["example.com"])])
  }

  private func handshake(
    _ name: String, _ protocols: [String], isTLS12Only: Bool = false
  ) throws -> (result: Connection.Result, isChallenge: Bool) {
    var options = TestClient.Options()
    options.serverName = name
    options.protocols = protocols
    options.isTLS12Only = isTLS12Only
    let connection = try Connection(material, context: context, options)
    let result = connection.handshake()
    return (result, connection.session.isChallenge)
  }

  @Test(arguments: [true, false])
  func `whoever asks for it sees the certificate of a challenge`(isTLS12Only: Bool) throws {
    let serial = try challenges.show("new.example.com", "token.thumbprint")
    #expect(!serial.isEmpty)
    let found = try handshake("new.example.com", ["acme-tls/1"], isTLS12Only: isTLS12Only)
    #expect(found.result.server == .done && found.isChallenge, "\(found)")
  }

  @Test func `the certificate has the digest in a critical extension, and the name alone`() throws {
    _ = try challenges.show("new.example.com", "token.thumbprint")
    let certificate = try #require(challenges.find(Array("new.example.com".utf8)))
    #expect(certificate.names.hosts == ["new.example.com"])
    let digest = Digest.sha256(Array("token.thumbprint".utf8).span)
    // OID 1.3.6.1.5.5.7.1.31, critical, an octet string in an octet string.
    let wanted: [UInt8] =
      [0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x1F, 0x01, 0x01, 0xFF, 0x04, 0x22]
      + [0x04, 0x20] + digest
    let leaf = certificate.leaf
    #expect(leaf.indices.contains { leaf[$0...].starts(with: wanted) })
  }

  @Test func `all others see what is served, and names without a challenge an alert`() throws {
    _ = try challenges.show("example.com", "token.thumbprint")
    let plain = try handshake("example.com", ["http/1.1"])
    #expect(plain.result.server == .done && !plain.isChallenge)
    let mixed = try handshake("example.com", ["http/1.1", "acme-tls/1"])
    #expect(mixed.result.server == .done && !mixed.isChallenge)
    let unknown = try handshake("other.example.com", ["acme-tls/1"])
    #expect(unknown.result.server != .done)
    challenges.remove("example.com")
    let gone = try handshake("example.com", ["acme-tls/1"])
    #expect(gone.result.server != .done)
  }
}
