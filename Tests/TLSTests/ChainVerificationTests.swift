import Diagnostics
import Posix
import TLSTestSupport
import Testing

@testable import TLS

/// How a client judges the chain that a server sends.
@Suite struct ChainVerificationTests {
  private let root = TestCertificate("Root", isAuthority: true)

  private func faults(
    _ chain: [TestCertificate], host: String = "a.test", now: Int64 = Clock.wallSeconds()
  ) throws -> [TrustFault] {
    let trust = try TrustStore.roots(in: SourceText(path: "root", bytes: root.pem))
    let certificates = try PEMFile(SourceText(path: "chain", bytes: chain.flatMap(\.pem)))
      .certificates().compactMap { X509(der: $0.der) }
    return verify(certificates, host: host, trust: trust, now: now).faults
  }

  @Test func `a renewed intermediate makes the expired one of the same key harmless`() throws {
    let old = TestCertificate("Middle", issuer: root, isAuthority: true, days: -90 ... -1)
    let new = TestCertificate("Middle", key: old.key, issuer: root, isAuthority: true)
    let leaf = TestCertificate("leaf", names: ["a.test"], issuer: old)
    #expect(try faults([leaf, old, new]).isEmpty)
    #expect(try faults([leaf, new, old]).isEmpty)
    guard case .expired("Middle", _) = try faults([leaf, old]).first else {
      Issue.record("the only path has expired")
      return
    }
  }

  @Test func `an expired certificate of the server stays one beside such a chain`() throws {
    let old = TestCertificate("Middle", issuer: root, isAuthority: true, days: -90 ... -1)
    let new = TestCertificate("Middle", key: old.key, issuer: root, isAuthority: true)
    let leaf = TestCertificate("leaf", names: ["a.test"], issuer: old, days: -30 ... -2)
    #expect(
      try faults([leaf, old, new]).contains { fault in
        if case .expired("leaf", _) = fault { true } else { false }
      })
  }

  @Test func `a name that no client accepts is still named`() throws {
    let leaf = TestCertificate("leaf", names: ["shop.*.test"], issuer: root)
    #expect(
      try faults([leaf], host: "shop.a.test").map(\.description) == [
        "the certificate is not for shop.a.test but for shop.*.test, and clients accept a * only as "
          + "the whole first part of a name"
      ])
  }
}
