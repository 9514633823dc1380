import TLSTestSupport
import Testing

@testable import TLS

/// Agreement with the openssl command.
@Suite(.enabled(if: OpenSSLCommand.path != nil)) struct CMSCommandTests {
  @Test(arguments: [TestKey.Kind.rsa2048, .p256])
  func `openssl smime verifies our signature`(kind: TestKey.Kind) throws {
    let fixture = SigningFixture(kind)
    let command = try OpenSSLCommand()
    defer { command.remove() }
    try command.write("signed", try fixture.signed())
    try command.write("root.pem", fixture.root.pem)
    let isVerified = try command.run(
      "smime", "-verify", "-inform", "DER", "-in", "signed", "-CAfile", "root.pem", "-out", "out")
    #expect(isVerified)
    #expect(try command.read("out") == fixture.content)
  }

  @Test(
    arguments: [TestKey.Kind.rsa2048, .p256],
    [
      // PKCS #7 and CMS, plain and in other forms.
      ["smime", "-binary"], ["smime", "-binary", "-noattr"], ["cms", "-binary"],
      ["cms", "-binary", "-stream"], ["cms", "-binary", "-nosmimecap", "-md", "sha384"],
    ])
  func `a signature of openssl is verified here`(kind: TestKey.Kind, words: [String]) throws {
    let fixture = SigningFixture(kind)
    let command = try OpenSSLCommand()
    defer { command.remove() }
    try command.write("content", fixture.content)
    try command.write("leaf.pem", fixture.leaf.pem)
    try command.write("leaf.key", fixture.leaf.key.pem())
    let isSigned = try command.run(
      [words[0], "-sign"] + words.dropFirst() + [
        "-nodetach", "-outform", "DER", "-in", "content", "-signer", "leaf.pem", "-inkey",
        "leaf.key", "-out", "signed",
      ])
    #expect(isSigned)
    let der = try command.read("signed")
    #expect(try CMS.content(of: der) == fixture.content)
    #expect(try fixture.verdict(der).signers == ["example.com"])
  }

  @Test func `openssl cms and this program judge alike`() throws {
    let root = TestCertificate("Root", isAuthority: true)
    let middle = TestCertificate("Middle", issuer: root, isAuthority: true)
    let leaf = TestCertificate("leaf", issuer: middle)
    let expired = TestCertificate("old", issuer: root, days: -9 ... -1)
    let early = TestCertificate("early", issuer: root, days: 1...9)
    let stranger = TestCertificate("stranger")
    let rsa = TestCertificate("rsa", key: TestKey(.rsa2048), issuer: root)
    let content = Array("{}".utf8)
    func signed(
      _ signers: [TestCertificate], _ others: [TestCertificate] = [],
      _ options: TestSignedMessage.Options = []
    ) -> [UInt8] {
      TestSignedMessage.der(content, signers: signers, others: others, options)
    }
    var altered = signed([rsa])
    altered[altered.count - 1] ^= 1
    let rows: [(der: [UInt8], isGood: Bool)] = [
      (signed([leaf], [middle]), true), (signed([leaf]), false),
      (signed([rsa, leaf], [middle]), true),
      (signed([rsa], [], .streamed), true), (signed([rsa], [], .withoutAttributes), true),
      (signed([rsa], [], .pss), true), (signed([rsa], [], .detached), false),
      (signed([rsa], [], .withoutCertificates), false), (signed([expired]), false),
      (signed([early]), false), (signed([stranger]), false), (signed([rsa, stranger]), false),
      (altered, false), (Array(altered.dropLast(9)), false), (content, false), ([], false),
    ]
    let command = try OpenSSLCommand()
    defer { command.remove() }
    try command.write("root.pem", root.pem)
    let trust = try store(root)
    for (index, row) in rows.enumerated() {
      try command.write("signed", row.der)
      let isGood = try command.run(
        "cms", "-verify", "-inform", "DER", "-in", "signed", "-CAfile", "root.pem", "-purpose",
        "any", "-out", "out")
      #expect(isGood == row.isGood, "row \(index)")
      #expect(CMS.verify(row.der, trust: trust, now: now).isGood == row.isGood, "row \(index)")
    }
  }
}
